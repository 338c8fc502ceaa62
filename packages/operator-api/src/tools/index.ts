export { tools } from "./resource.ts";
export type { AskedCall, ToolsService } from "./routes.ts";
export { callReplySchema } from "./routes.ts";
