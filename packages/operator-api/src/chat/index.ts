export { chat } from "./resource.ts";
export type { ChatMessage, ChatService } from "./routes.ts";
export { inputRequiredSchema } from "./schema.ts";
