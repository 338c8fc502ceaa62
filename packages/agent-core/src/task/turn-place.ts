import { messageBytes } from "../context/index.ts";
import type { TaskOrigin } from "../event/index.ts";
import type { WorkingPlace } from "../turn/index.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** Where a task gets in line. */
export interface Place {
  /** Of its context. */
  readonly key: string;
  readonly class: string;
  /** It runs without a place of its own. */
  readonly slotless: boolean;
}

/**
 * Where a task gets in line. What a call delegated runs without a place, within the delegating turn, which has one and
 * waits for it; so do background jobs, which have bounds of their own (ruling S7). Both are in a role; the turn that
 * reads a job's report is not.
 */
export function placeOf(of: {
  readonly class: string;
  readonly context: string;
  readonly origin: TaskOrigin;
  readonly role?: string | undefined;
}): Place {
  const beside = of.origin === "subagent" || of.origin === "background";
  return { key: contextKey(of), class: of.class, slotless: beside && of.role !== undefined };
}

/** A context's key: contexts belong to a class (ruling A16). */
export function contextKey(of: { readonly class: string; readonly context: string }): string {
  return `${of.class}\u0000${of.context}`;
}

/** For a turn that is only read: nothing of it runs. */
export const NO_PLACE: WorkingPlace = Object.freeze({ take: () => undefined, giveBack: () => {} });

/** The place of a turn that has begun. */
export function workingPlace(queue: TurnQueue, id: string, signal: AbortSignal): WorkingPlace {
  return {
    take: () => queue.work(id, signal),
    giveBack: (messages) =>
      queue.rest(
        id,
        messages.reduce((sum, message) => sum + messageBytes(message), 0),
      ),
  };
}
