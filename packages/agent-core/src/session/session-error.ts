import { CodedError } from "../error/index.ts";

/** There is no such session: none ever was, or it was deleted. */
export class UnknownSessionError extends CodedError<"not_found"> {
  override readonly name = "UnknownSessionError";
  /** The id that was asked for. */
  readonly session: string;

  constructor(session: string) {
    super("not_found", "There is no such session.");
    this.session = session;
  }
}

/** The session has no such turn, any more, or none of the kind that is asked for. */
export class UnknownTurnError extends CodedError<"not_found"> {
  override readonly name = "UnknownTurnError";
  readonly session: string;

  constructor(session: string, turn: string | undefined) {
    super("not_found", turn === undefined ? "The session has no such turn." : `The session has no turn ${turn}.`);
    this.session = session;
  }
}
