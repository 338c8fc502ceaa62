import { isStoreUnavailable } from "../database/index.ts";
import type { InputMessage, TaskOrigin } from "../event/index.ts";
import type { TurnDeps } from "../turn/index.ts";
import type { AcceptanceLimits } from "./acceptance-limits.ts";
import type { ContextGate, ContextName } from "./context-gate.ts";
import { asksIncognito } from "./incognito.ts";
import { contentOf, readMessage } from "./prior-message.ts";
import { contextKey } from "./queue-entry.ts";
import type { Steer, Steering } from "./steering.ts";
import type { TaskAcceptance } from "./task-acceptance.ts";
import type { TaskHandle } from "./task-handle.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** Milliseconds until a follow-up turn that the store could not take is tried again. */
const RETRY_MS = 1_000;

export interface FollowUpParts {
  readonly deps: TurnDeps;
  readonly queue: TurnQueue;
  readonly gate: ContextGate;
  readonly steering: Steering;
  readonly limits: AcceptanceLimits;
  readonly acceptance: Pick<TaskAcceptance, "accept">;
  /** A failure that belongs to no task. */
  readonly onFatal: (error: unknown) => void;
}

interface FollowUp extends ContextName {
  readonly origin: TaskOrigin;
}

/** Accepts steering, and starts a turn for what no turn of its context has read (R8). */
export class FollowUpTurns {
  readonly #parts: FollowUpParts;

  constructor(parts: FollowUpParts) {
    this.#parts = parts;
  }

  /** As `TaskService.steer`. */
  async steer(steer: Steer): Promise<TaskHandle | undefined> {
    const { queue, gate, steering, limits } = this.#parts;
    limits.assertAccepting();
    contentOf(steer.input);
    const key = contextKey(steer);
    gate.assertOpen(key);
    limits.assertMemory(steer.class);
    const isNew = await steering.accept(steer);
    return isNew && !queue.held(key) ? this.#start(steer) : undefined;
  }

  /** As `TaskService.withdraw`. */
  async withdraw(of: ContextName, id: string): Promise<boolean> {
    try {
      return await this.#parts.steering.withdraw(of, id);
    } catch (error) {
      // The turn that would have read it may have ended meanwhile.
      this.startIfUnread({ ...of, origin: "embed" });
      throw error;
    }
  }

  /** As `TaskService.readLeftovers`. */
  async readLeftovers(stays: (of: ContextName) => boolean | Promise<boolean>): Promise<void> {
    for (const of of this.#parts.steering.contexts) {
      if (!(await stays(of))) this.startIfUnread({ ...of, origin: "embed" });
    }
  }

  /** Leftovers are read by the next turn of the context; where none waits, by one of their own (R8). */
  startIfUnread(of: FollowUp): void {
    const { deps, queue, gate, steering, limits, onFatal } = this.#parts;
    const key = contextKey(of);
    if (steering.count(key) === 0 || !limits.accepting || gate.isShut(key) || queue.held(key)) return;
    this.#start(of).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) return onFatal(error);
      deps.log.warn(`steering in ${of.context} waits: the store cannot take a turn (${error.code})`);
      deps.clock.setTimeout(() => this.startIfUnread(of), RETRY_MS, { background: true });
    });
  }

  /** One turn for all the steering that no turn read; the rows go in the commit that accepts it. */
  async #start({ class: callerClass, context, origin }: FollowUp): Promise<TaskHandle | undefined> {
    const { deps, steering, acceptance } = this.#parts;
    const key = contextKey({ class: callerClass, context });
    const rows = steering.take(key);
    if (rows.length === 0) return undefined;
    const inputs = rows.map((row) => JSON.parse(row.body) as InputMessage);
    const parts = inputs.flatMap((message) => message.parts);
    const incognito = inputs.some(asksIncognito) ? { metadata: { incognito: true } } : {};
    const input: InputMessage = { messageId: inputs[0]!.messageId, parts, ...incognito };
    const gone = rows.map((row) => deps.journal.statements.deleteSteering.bind({ id: row.id }));
    try {
      return await acceptance.accept({ class: callerClass, context, origin, input }, readMessage(input), gone);
    } catch (error) {
      steering.putBack(key, rows);
      throw error;
    }
  }
}
