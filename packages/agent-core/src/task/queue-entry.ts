import { messageBytes } from "../context/index.ts";
import type { TaskOrigin } from "../event/index.ts";
import type { WorkingSlot } from "../turn/index.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** What decides in which queue a task waits. */
export interface QueueEntry {
  /** Of its context. */
  readonly key: string;
  readonly class: string;
  /** It runs without a slot of its own. */
  readonly slotless: boolean;
}

const BOUNDED: ReadonlySet<TaskOrigin> = new Set(["subagent", "background", "auxiliary"]);

/**
 * Tasks that a call delegated run without a slot, within the delegating turn, which has one and waits for them; so do
 * background jobs and what the service asks for itself, which have bounds of their own (S7). All run in a role; the turn that reads a job's report does
 * not.
 */
export function queueEntryOf(of: {
  readonly class: string;
  readonly context: string;
  readonly origin: TaskOrigin;
  readonly role?: string | undefined;
}): QueueEntry {
  const isBounded = BOUNDED.has(of.origin);
  return { key: contextKey(of), class: of.class, slotless: isBounded && of.role !== undefined };
}

/** A context's key: contexts belong to a class (A16). */
export function contextKey(of: { readonly class: string; readonly context: string }): string {
  return `${of.class}\u0000${of.context}`;
}

/** For a turn that is only read: nothing of it runs. */
export const NO_SLOT: WorkingSlot = Object.freeze({ acquire: () => undefined, release: () => {} });

/** The slot of a turn that has begun. */
export function workingSlot(queue: TurnQueue, id: string, signal: AbortSignal): WorkingSlot {
  return {
    acquire: () => queue.acquireSlot(id, signal),
    release: (messages) =>
      queue.releaseSlot(
        id,
        messages.reduce((sum, message) => sum + messageBytes(message), 0),
      ),
  };
}
