import type { Statement } from "../database/index.ts";
import { CodedError } from "../error/index.ts";
import type { JsonObject } from "../json/index.ts";

export interface DurableTimer {
  readonly id: string;
  /** Selects the handler that fires it. */
  readonly kind: string;
  /** The conversation it belongs to (A16). */
  readonly class: string;
  readonly context: string;
  /** Epoch milliseconds. */
  readonly due: number;
  readonly body: JsonObject;
}

/** What becomes of a timer that fires: one of these belongs into the commit of what it starts. The one asked for last counts. */
export interface SettleTimer {
  /** It leaves. */
  readonly remove: Statement;
  /** It stays, and is due again then (epoch milliseconds), with another body where one is given. */
  moveTo(due: number, body?: JsonObject): Statement;
}

/** The timer is not fired yet, and nothing was committed: it is fired again then (epoch milliseconds), once that is known. */
export interface FireLater {
  readonly at: number | Promise<number>;
}

/**
 * Handles a due timer, with `settle` in the commit of what it starts. `key` belongs to the task that a timer starts which leaves; one
 * that moves takes keys of its own. A rejection leaves the timer, to be tried again later.
 */
export type FireTimer = (timer: DurableTimer, settle: SettleTimer, key: string) => Promise<FireLater | undefined>;

/** No further timer can be set. */
export class TooManyTimersError extends CodedError<"timer.too-many"> {
  override readonly name = "TooManyTimersError";

  constructor(message: string, options?: ErrorOptions) {
    super("timer.too-many", message, options);
  }

  override get retryable(): boolean {
    return true;
  }
}
