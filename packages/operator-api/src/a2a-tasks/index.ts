export { a2aTasks } from "./resource.ts";
export type { A2ATasksService } from "./routes.ts";
