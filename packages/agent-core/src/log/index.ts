export type { DecisionFields, EngineLog, LogDecision } from "./engine-log.ts";
