/** What is kept with a call whose question of the 2025 era a person answers: its connection is all else there is of it (M7). */
export interface HeldNote {
  readonly kind: "held";
  /** The answer was sent: the call may have happened. False: the next question waits for a person. */
  readonly isAnswered: boolean;
}

export function heldNote(kept: unknown): HeldNote | undefined {
  return typeof kept === "object" && kept !== null && (kept as { kind?: unknown }).kind === "held"
    ? (kept as HeldNote)
    : undefined;
}
