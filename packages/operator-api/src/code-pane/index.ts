export { codePane } from "./resource.ts";
export type { CodePaneService } from "./routes.ts";
export type { FilePage, ProjectDiff } from "./schema.ts";
