import { CodedError } from "../error/index.ts";

/**
 * - `process.not-started`: the system refused to start the program.
 * - `process.stopped`: the service is stopping and starts nothing more.
 * - `process.ended`: a program does not run any more, so it was given nothing of the input.
 * - `process.input-lost`: it ended while the input was on its way, and may have read some of it.
 * - `process.input-full`: too much input waits for the program, which does not read it; it was given nothing of this one.
 */
export type ProcessErrorCode =
  | "process.not-started"
  | "process.stopped"
  | "process.ended"
  | "process.input-lost"
  | "process.input-full";

/** A program did not start, or did not take an input; but for `process.input-lost` nothing of it happened. The message is for the model. */
export class ProcessError extends CodedError<ProcessErrorCode> {
  override readonly name = "ProcessError";
}
