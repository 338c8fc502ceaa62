import { CodedError } from "../error/index.ts";

/**
 * The turn's loop lost its task: it was ended elsewhere (cancel, timeout), or the process stops and leaves it for the
 * next one. Not a failure; the loop just stops.
 */
export class DetachedError extends CodedError<"detached"> {
  override readonly name = "DetachedError";

  constructor(message: string, options?: ErrorOptions) {
    super("detached", message, options);
  }
}
