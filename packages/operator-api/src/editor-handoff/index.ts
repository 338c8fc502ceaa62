export { editorHandoff } from "./resource.ts";
export type { EditorHandoffService, OfferedHandoff } from "./routes.ts";
