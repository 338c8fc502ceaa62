import { type AgentEvent, ClientError } from "@agent-service/a2a-protocol/client";
import { failureOf } from "../../../ui/index.ts";
import type { LiveEntries } from "./live-entries.ts";
import { foldEvent, type LiveTurn } from "./live-turn.ts";

/** The events of one connection to a turn's stream. */
export type TurnEvents = AsyncGenerator<AgentEvent, void>;

/** What following turns needs. `signal` ends all of it. */
export interface FollowOptions {
  readonly entries: Pick<LiveEntries<unknown>, "entry" | "change">;
  /** Opens the stream of a task behind the event with the number `after`; 0: from its start. */
  readonly resubscribe: (taskId: string, after: number) => Promise<TurnEvents>;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/**
 * Returns a function that applies the events of a turn's stream to its entry until the stream ends by itself. A connection
 * that breaks is resumed behind the last event, after a wait that doubles with each attempt that brings no event; a turn
 * that the agent has not accepted yet fails instead. The returned function never rejects.
 */
export function createTurnFollower(
  options: FollowOptions,
): (key: string, open: () => Promise<TurnEvents>) => Promise<void> {
  const { entries, resubscribe, now, wait, signal } = options;
  async function apply(key: string, events: TurnEvents): Promise<void> {
    for await (const event of events) {
      if (signal.aborted) return;
      entries.change(key, (turn) => ({ ...foldEvent(turn, event, now()), reconnecting: false }));
    }
  }
  return async (key, first) => {
    const current = (): LiveTurn | undefined => entries.entry(key)?.turn;
    let open = first;
    for (let failures = 0; ; ) {
      const before = current()?.seq;
      try {
        await apply(key, await open());
        entries.change(key, (turn) => ({ ...turn, open: false, reconnecting: false }));
        return;
      } catch (error) {
        const taskId = current()?.taskId;
        if (signal.aborted) return;
        if (taskId === undefined || !(error instanceof ClientError) || !error.retryable) {
          entries.change(key, (turn) => failedWith(turn, error));
          return;
        }
        failures = current()?.seq === before ? failures + 1 : 1;
        entries.change(key, (turn) => ({ ...turn, reconnecting: true }));
        await wait(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1)), signal);
        if (signal.aborted) return;
        open = () => resubscribe(taskId, current()?.seq ?? 0);
      }
    }
  };
}

function failedWith(turn: LiveTurn, error: unknown): LiveTurn {
  return { ...turn, state: "failed", open: false, reconnecting: false, failure: failureOf(error) };
}
