export { board } from "./resource.ts";
export type { BoardService } from "./routes.ts";
export type { IssueRow } from "./schema.ts";
