export { TASK_ORIGINS } from "./task-origins.ts";
