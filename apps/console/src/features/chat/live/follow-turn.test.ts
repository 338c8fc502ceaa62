import { type AgentEvent, ClientError } from "@agent-service/a2a-protocol/client";
import { expect, test } from "vitest";
import { createTurnFollower, type TurnEvents } from "./follow-turn.ts";
import type { LiveTurn } from "./live-turn.ts";

const task: AgentEvent = {
  ...{ kind: "task", seq: 1 },
  task: { id: "t1", contextId: "s", status: { state: "TASK_STATE_WORKING" } },
};
const text = (seq: number): AgentEvent => ({ kind: "text", seq, delta: `${seq}`, artifactId: "answer" });
const broken = new ClientError("network", "connection lost");

async function* streamOf(events: readonly AgentEvent[], error?: Error): TurnEvents {
  for (const event of events) yield event;
  if (error !== undefined) throw error;
}

/** Follows a turn over these streams; the first is the one that sends, each further one a resubscription. */
function follow(streams: readonly (() => TurnEvents)[], onWait: (close: AbortController) => void = () => {}) {
  const closing = new AbortController();
  let turn: LiveTurn | undefined = {
    ...{ key: "k", session: "s", sentText: "", files: [], startedAt: 0, state: "queued", open: true },
    ...{ reconnecting: false, steps: [], text: "", components: [] },
  };
  const waits: number[] = [];
  const after: number[] = [];
  const reconnecting: boolean[] = [];
  const [first, ...further] = streams;
  const follower = createTurnFollower({
    entries: {
      entry: () => (turn === undefined ? undefined : { turn, message: undefined }),
      change: (_, change) => {
        if (turn === undefined) return;
        turn = change(turn);
        reconnecting.push(turn.reconnecting);
      },
    },
    now: () => 0,
    async resubscribe(_, seq) {
      after.push(seq);
      const next = further.shift();
      if (next === undefined) throw new Error("resubscribed once too often");
      return next();
    },
    async wait(ms) {
      waits.push(ms);
      onWait(closing);
    },
    signal: closing.signal,
  });
  const done = follower("k", async () => {
    if (first === undefined) throw new Error("no stream");
    return first();
  });
  const forget = (): void => {
    turn = undefined;
  };
  return { done, waits, after, reconnecting, turn: () => turn, forget, closing };
}

test("attempts that bring no event wait twice as long each time, up to ten seconds, and an event starts anew", async () => {
  const silent = () => streamOf([], broken);
  const followed = follow([
    () => streamOf([task], broken),
    ...Array.from({ length: 6 }, () => silent),
    () => streamOf([text(2)], broken),
    () => streamOf([text(3)]),
  ]);
  await followed.done;
  expect(followed.waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 500]);
  expect(followed.after).toEqual([1, 1, 1, 1, 1, 1, 1, 2]);
  expect(followed.turn()).toMatchObject({ text: "23", open: false, reconnecting: false });
});

test("a turn is marked as reconnecting until the next event arrives", async () => {
  const followed = follow([() => streamOf([task], broken), () => streamOf([text(2)])]);
  await followed.done;
  expect(followed.reconnecting).toEqual([false, true, false, false]);
});

test("a refusal is not repeated: the turn fails with its reason, also after it was accepted", async () => {
  const refused = new ClientError("http", "no such task", { status: 404 });
  for (const events of [[], [task, text(2)]]) {
    const followed = follow([() => streamOf(events, refused)]);
    await followed.done;
    expect(followed.waits).toEqual([]);
    expect(followed.turn()).toMatchObject({
      ...{ state: "failed", open: false, failure: { message: "no such task" } },
    });
  }
});

test("a message whose connection broke before the agent accepted it fails, and is not sent again by itself", async () => {
  const followed = follow([() => streamOf([], broken)]);
  await followed.done;
  expect([followed.waits, followed.after]).toEqual([[], []]);
  expect(followed.turn()).toMatchObject({ state: "failed", open: false, failure: { message: "connection lost" } });
});

test("a turn that fails while it is resumed reconnects no longer", async () => {
  const refused = new ClientError("http", "no such task", { status: 404 });
  const followed = follow([() => streamOf([task], broken), () => streamOf([], refused)]);
  await followed.done;
  expect(followed.turn()).toMatchObject({ state: "failed", open: false, reconnecting: false });
});

test("a turn that was forgotten is followed no further, whether its stream ends, breaks or goes on", async () => {
  for (const end of [undefined, broken, new TypeError("a bug")]) {
    const followed = follow([
      async function* () {
        yield task;
        followed.forget();
        yield text(2);
        if (end !== undefined) throw end;
      },
    ]);
    await followed.done;
    expect([followed.turn(), followed.waits, followed.after]).toEqual([undefined, [], []]);
  }
});

test("an error that is no failure of the connection ends the turn instead of repeating it for ever", async () => {
  const followed = follow([() => streamOf([task], new TypeError("a bug"))]);
  await followed.done;
  expect(followed.turn()).toMatchObject({ state: "failed", failure: { message: "a bug" } });
});

test("once following was stopped, no event is applied and no stream opened", async () => {
  const stopped = follow([() => streamOf([task], broken)], (closing) => closing.abort());
  await stopped.done;
  expect(stopped.after).toEqual([]);
  expect(stopped.turn()?.state).toBe("working");
  for (const end of [undefined, broken, new TypeError("a bug")]) {
    const followed = follow([
      async function* () {
        yield task;
        followed.closing.abort();
        if (end !== undefined) throw end;
        yield text(2);
      },
    ]);
    await followed.done;
    expect(followed.turn()).toMatchObject({ text: "", taskId: "t1", state: "working" });
    expect(followed.turn()).not.toHaveProperty("failure");
    expect(followed.waits).toEqual([]);
  }
});
