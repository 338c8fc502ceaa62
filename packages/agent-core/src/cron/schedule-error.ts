import { CodedError } from "../error/index.ts";

/** A schedule or time zone that cannot be used; the message says why and repeats nothing that was sent. */
export class ScheduleError extends CodedError<"schedule.invalid"> {
  override readonly name = "ScheduleError";

  constructor(message: string, options?: ErrorOptions) {
    super("schedule.invalid", message, options);
  }

  override get retryable(): boolean {
    return false;
  }
}
