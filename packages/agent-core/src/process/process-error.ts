import { CodedError } from "../error/index.ts";

/** `not-started`: the system refused to start the program; `stopped`: the service is stopping and starts nothing more. */
export type ProcessErrorCode = "process.not-started" | "process.stopped";

/** A program did not start, so nothing of it happened. The message is for the model. */
export class ProcessError extends CodedError<ProcessErrorCode> {
  override readonly name = "ProcessError";
}
