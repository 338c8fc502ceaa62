/** Bounds of a turn (R4, R5; B52 `model.max_iterations`, `model.round_hard_cap`). */
export interface TurnLimits {
  /** Steps of the tool loop; a tool round counts as 8. Reaching it fails the task. */
  readonly maxIterations: number;
  /** Tool rounds after which a turn ends with a hand-back; absent: no such cap. */
  readonly roundHardCap?: number;
  /** Calls of one step that run at the same time. */
  readonly parallelCalls: number;
  /** Identical calls with identical results in a row until the model gets a note. */
  readonly repeatsToNote: number;
  /** Identical calls with identical results in a row until the turn ends. */
  readonly repeatsToEnd: number;
  /** Milliseconds without any sign of life until a running task fails. */
  readonly silenceMs: number;
  /** Characters of text one model call may stream; an answer is cut there, with a note. */
  readonly maxAnswerChars: number;
}

/** The defaults (R4, R5, B52). */
export const DEFAULT_LIMITS: TurnLimits = Object.freeze({
  maxIterations: 2_000,
  parallelCalls: 8,
  repeatsToNote: 3,
  repeatsToEnd: 6,
  silenceMs: 900_000,
  maxAnswerChars: 4_000_000,
});
