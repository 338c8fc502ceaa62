export { prompts } from "./resource.ts";
export type { PromptsService } from "./routes.ts";
