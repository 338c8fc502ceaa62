/** What a decision is logged with: names, codes, numbers and ids of our own; never words of a caller, a model or a tool. */
export type DecisionFields = { readonly [name: string]: string | number | boolean | undefined };

/** Logs a decision at DEBUG; `decision` is the same text each time. */
export type LogDecision = (fields: DecisionFields, decision: string) => void;

/** Where the engine logs for operators. */
export interface EngineLog {
  info(message: string): void;
  warn(message: string): void;
  /** Absent where DEBUG is not logged: `log.debug?.({…}, "…")` makes nothing then. */
  readonly debug?: LogDecision | undefined;
}
