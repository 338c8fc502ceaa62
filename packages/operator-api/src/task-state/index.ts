export { taskStateSchema, taskStateWord } from "./task-state.ts";
