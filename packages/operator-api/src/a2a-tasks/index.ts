export { type A2ATasksService, a2aTasksDefinitions, a2aTasksRoutes, listTasks, readJournal } from "./routes.ts";
