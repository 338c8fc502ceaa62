export { a2aStateOf, taskStateSchema } from "./task-state.ts";
