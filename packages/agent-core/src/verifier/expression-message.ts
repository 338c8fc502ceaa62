/** Milliseconds an expression may take. */
export const EXPRESSION_MS = 1_000;
/** Characters of the JSON of what an expression finds. */
export const MAX_VALUE_CHARS = 64 * 1024;

/** What the process of expressions is given. */
export interface ExpressionJob {
  readonly expr: string;
  /** JSON; undefined: it is only read whether the expression is one. */
  readonly input?: string | undefined;
}

/** What is said of an expression: `problem` repeats nothing of what it was given. */
export type ExpressionOutcome = { readonly met: boolean; readonly value: string } | { readonly problem: string };

/** What it answers. */
export interface ExpressionReply {
  readonly outcome: ExpressionOutcome;
  /** Milliseconds of the processor that the process has had since it began. */
  readonly cpuMs: number;
}
