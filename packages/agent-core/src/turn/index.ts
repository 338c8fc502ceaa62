export { callFinished, closeCallRow } from "./call-rows.ts";
export type { DelegatedWork } from "./delegated-work.ts";
export type { EndReason } from "./end-reason.ts";
export { endChange } from "./end-turn.ts";
export type { Guard, GuardVerdict } from "./guards.ts";
export { askGuards, GUARDS } from "./guards.ts";
export { modelCallId } from "./model-step.ts";
export type { TurnStart } from "./restore-turn.ts";
export { freshTurn, restoreTurn } from "./restore-turn.ts";
export { toolboxOf } from "./role-of.ts";
export type { TurnEnd } from "./run-turn.ts";
export { INTERNAL_FAILURE, runTurn } from "./run-turn.ts";
export type { StructuredSkill, TaskOptions, TurnSampling } from "./task-options.ts";
export type { TurnLimits } from "./turn-limits.ts";
export { DEFAULT_LIMITS } from "./turn-limits.ts";
export type { TurnRole } from "./turn-role.ts";
export type {
  ChosenModel,
  ObservedCall,
  SteeringRow,
  StoredAnswer,
  TurnDeps,
  TurnState,
  WorkingPlace,
} from "./turn-state.ts";
