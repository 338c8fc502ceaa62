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

/** What it answers: `problem` repeats nothing of what it was given. */
export type ExpressionReply = { readonly met: boolean; readonly value: string } | { readonly problem: string };
