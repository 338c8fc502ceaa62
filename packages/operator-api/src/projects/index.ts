export { projects } from "./resource.ts";
export type { ProjectRow, ProjectsService } from "./routes.ts";
