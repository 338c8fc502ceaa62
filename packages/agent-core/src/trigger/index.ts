export { callsOfTask, hadEffects } from "./calls-of-task.ts";
export { FireWindow } from "./fire-window.ts";
export { RowLocks } from "./row-locks.ts";
export { isDraining, isOverloaded } from "./start-refusal.ts";
export { lookOf, type TaskLook } from "./task-look.ts";
export { type DueSteps, TriggerDriver, type TriggerOptions } from "./trigger-driver.ts";
export { outsideApproval, triggerOfTurn } from "./trigger-of-turn.ts";
