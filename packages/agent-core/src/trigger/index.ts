export { FireWindow } from "./fire-window.ts";
export { isDraining, isOverloaded } from "./start-refusal.ts";
export { lookOf, type TaskLook } from "./task-look.ts";
export { type DueSteps, TriggerDriver, type TriggerOptions } from "./trigger-driver.ts";
