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

/** The deletion of a session is durable and did not come to its end: it is tried again. */
export class RemovalUnfinishedError extends CodedError<"unfinished"> {
  override readonly name = "RemovalUnfinishedError";

  constructor(cause: unknown) {
    super("unfinished", "The deletion has begun and is not done: a store cannot be used now. It goes on by itself.", {
      cause,
    });
  }
}

/** The turn has no such file, or the journal no longer holds it. */
export class UnknownFileError extends CodedError<"not_found"> {
  override readonly name = "UnknownFileError";

  constructor() {
    super("not_found", "There is no such file, or it is not kept any more.");
  }
}

/** What is asked would keep something of a conversation of which nothing stays. */
export class IncognitoSessionError extends CodedError<"incognito"> {
  override readonly name = "IncognitoSessionError";

  constructor() {
    super("incognito", "An incognito conversation cannot be forked, nor have versions: nothing of it stays.");
  }
}

/** As many sessions are pinned as can be. */
export class TooManyPinnedError extends CodedError<"too_many_pinned"> {
  override readonly name = "TooManyPinnedError";

  constructor(most: number) {
    super("too_many_pinned", `${most} conversations are pinned, which is the most there can be. Unpin one first.`);
  }
}

/** A conversation has as many versions as it can. */
export class TooManyVersionsError extends CodedError<"too_many_versions"> {
  override readonly name = "TooManyVersionsError";

  constructor(most: number) {
    super("too_many_versions", `The conversation has ${most} versions, which is the most there can be. Fork it first.`);
  }
}
