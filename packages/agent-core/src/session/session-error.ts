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
