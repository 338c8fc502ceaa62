/** There is no such session: none ever was, or it was deleted. */
export class UnknownSessionError extends Error {
  override readonly name = "UnknownSessionError";
  readonly code = "not_found";
  /** The id that was asked for. */
  readonly session: string;

  constructor(session: string) {
    super("There is no such session.");
    this.session = session;
  }
}

/** The session has no such turn, any more, or none of the kind that is asked for. */
export class UnknownTurnError extends Error {
  override readonly name = "UnknownTurnError";
  readonly code = "not_found";
  readonly session: string;

  constructor(session: string, turn: string | undefined) {
    super(turn === undefined ? "The session has no such turn." : `The session has no turn ${turn}.`);
    this.session = session;
  }
}
