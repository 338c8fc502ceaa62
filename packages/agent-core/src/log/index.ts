export type { DecisionFields, EngineLog, LogDecision } from "./engine-log.ts";
export { stackOf } from "./stack-of.ts";
