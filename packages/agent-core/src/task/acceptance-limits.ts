/** Rejects messages before they are accepted: while the service stops, and beyond bounds of memory and queues (EN10; A9, S7). */

import type { Journal } from "../journal/index.ts";
import type { DecisionFields, EngineLog } from "../log/index.ts";
import { type Party, partyOf, shareOf } from "../share/index.ts";
import type { QueueEntry } from "./queue-entry.ts";
import type { Steering } from "./steering.ts";
import { TaskError } from "./task-error.ts";
import { PEER_BYTES } from "./turn-bounds.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** Turns of one context that may wait (A9). */
const MAX_WAITING_PER_CONTEXT = 100;
/** Seconds until a refused message is worth another try: where much is held, and where many wait. */
const RETRY_SECONDS = { held: 10, queue: 30 } as const;

export interface AcceptanceLimitsParts {
  readonly journal: Journal;
  readonly steering: Steering;
  readonly queue: TurnQueue;
  readonly log: Pick<EngineLog, "debug">;
  /** Bytes of tasks in memory beyond which new ones are refused. */
  readonly maxHeldBytes: number;
}

/** Checked before anything of a message is accepted. */
export class AcceptanceLimits {
  readonly #parts: AcceptanceLimitsParts;
  #accepting = true;

  constructor(parts: AcceptanceLimitsParts) {
    this.#parts = parts;
  }

  /** False once the service is stopping. */
  get accepting(): boolean {
    return this.#accepting;
  }

  /** Rejects everything from now on. */
  close(): void {
    this.#accepting = false;
  }

  /** @throws TaskError draining: the service is going down */
  assertAccepting(): void {
    if (!this.#accepting) throw new TaskError("draining", "the service is going down", 5);
  }

  /** @throws TaskError overloaded: the caller's class may have no more in memory */
  assertMemory(callerClass: string): void {
    const { maxHeldBytes } = this.#parts;
    const party = partyOf(callerClass);
    const held = { operator: this.#held("operator"), peers: this.#held("peers") };
    const share = shareOf("peers", maxHeldBytes, PEER_BYTES);
    const all = held.operator + Math.min(held.peers, share);
    if (all <= maxHeldBytes && (party === "operator" || held.peers <= share)) return;
    this.#refuse({ class: callerClass, bound: "memory", held: held[party] });
    throw new TaskError("overloaded", "the tasks that run and wait hold too much already", RETRY_SECONDS.held);
  }

  /** @throws TaskError overloaded: too many wait already, in this context or in all */
  assertQueue(entry: QueueEntry): void {
    const { queue } = this.#parts;
    if (queue.waitingIn(entry.key) >= MAX_WAITING_PER_CONTEXT) {
      this.#refuse({ class: entry.class, bound: "context", waiting: MAX_WAITING_PER_CONTEXT });
      throw new TaskError("overloaded", `${MAX_WAITING_PER_CONTEXT} turns wait in this context already`, 10);
    }
    if (queue.free(entry) || queue.hasRoom(entry.class)) return;
    this.#refuse({ class: entry.class, bound: "queue", waiting: queue.waiting });
    throw new TaskError("overloaded", "too many turns wait already", RETRY_SECONDS.queue);
  }

  #refuse(fields: DecisionFields): void {
    this.#parts.log.debug?.(fields, "message refused");
  }

  #held(party: Party): number {
    return this.#parts.journal.bytesOf(party) + this.#parts.steering.bytesOf(party);
  }
}
