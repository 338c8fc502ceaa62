export { a2aTasks } from "./resource.ts";
export type { A2ATasksService, RunFilter } from "./routes.ts";
