export { sessionEdits } from "./resource.ts";
export type { SessionEditsService } from "./routes.ts";
