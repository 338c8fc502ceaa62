export { type GoalFeatureOptions, goal } from "./feature.ts";
export { type Goal, type GoalEvent, type GoalPhase, type GoalStatus, phaseOf } from "./goal.ts";
export type { GoalDrives } from "./goal-drives.ts";
export { GoalError, type GoalErrorCode } from "./goal-error.ts";
export type { NewGoal } from "./goal-request.ts";
export { goalSection } from "./goal-section.ts";
export type { GoalPlace } from "./goal-store.ts";
export type { Goals, Kick, SetGoal } from "./goals.ts";
