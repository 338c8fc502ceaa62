import type { DeliveryProgress } from "./push-config.ts";

/** The newest events of a task that a webhook may be sent, by their numbers; 0: none (WH2). */
export class PendingEvents {
  #latest = 0;
  #urgent = 0;

  /** Newest event to send. */
  get latest(): number {
    return this.#latest;
  }

  /** Newest event to send at once, before the others. */
  get urgent(): number {
    return this.#urgent;
  }

  add(notified: number, urgent: number): void {
    this.#latest = Math.max(this.#latest, notified);
    this.#urgent = Math.max(this.#urgent, urgent);
  }

  /** The event to send; 0: none. */
  next({ cursor, target }: DeliveryProgress): number {
    if (this.#urgent > cursor) return this.#urgent;
    // A failed event is retried until it is given up before a newer one is sent.
    if (target > cursor) return target;
    return this.#latest > cursor ? this.#latest : 0;
  }
}
