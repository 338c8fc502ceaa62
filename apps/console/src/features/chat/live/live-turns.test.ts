import { type AgentEvent, ClientError } from "@agent-service/a2a-protocol/client";
import { expect, test } from "vitest";
import type { LiveTurn } from "./live-turn.ts";
import { createLiveTurns, type LiveTurnsOptions } from "./live-turns.ts";

const accepted = { id: "t1", contextId: "s", status: { state: "TASK_STATE_WORKING" } } as const;
const task = (seq: number): AgentEvent => ({ kind: "task", seq, task: accepted });
const text = (seq: number, delta: string): AgentEvent => ({ kind: "text", seq, delta, artifactId: "answer" });
const status = (seq: number, state: "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED", message = ""): AgentEvent => ({
  ...{ kind: "status", seq, state, text: message, final: true },
});
async function* streamOf(events: readonly AgentEvent[], end?: Error): AsyncGenerator<AgentEvent, void> {
  for (const event of events) yield event;
  if (end !== undefined) throw end;
}

function store(streams: readonly (() => AsyncGenerator<AgentEvent, void>)[]) {
  const asked: unknown[] = [];
  const left = [...streams];
  const frames: (() => void)[] = [];
  const rest = Promise.withResolvers<void>();
  const next = (what: unknown): AsyncGenerator<AgentEvent, void> => {
    asked.push(what);
    const stream = left.shift();
    if (stream === undefined) throw new Error("called once too often");
    return stream();
  };
  const agent: Awaited<ReturnType<LiveTurnsOptions["agent"]>> = {
    stream: (input, options) => next(["stream", input, options?.contextId, options?.metadata, options?.idempotencyKey]),
    resubscribe: (id, options) => next(["resubscribe", id, options?.after]),
    cancel: () => Promise.reject(new Error("not called")),
  };
  let keys = 0;
  const turns = createLiveTurns({
    agent: () => Promise.resolve(agent),
    now: () => 1_000,
    newKey: () => {
      keys += 1;
      return `k${keys}`;
    },
    schedule: (run) => {
      frames.push(run);
      queueMicrotask(() => rest.resolve());
    },
    wait: () => Promise.resolve(),
  });
  /** Runs frames until the turn is no longer followed. */
  async function until(key: string): Promise<LiveTurn> {
    for (;;) {
      for (const frame of frames.splice(0)) frame();
      const turn = turns.get(key);
      if (turn !== undefined && !turn.open) return turn;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { turns, asked, frames, until };
}

const outgoing = {
  session: "s",
  text: "hello",
  files: [],
  model: "",
  effort: "",
  incognito: false,
};

test("a message is sent with the console as its surface, and its turn is shown once a frame", async () => {
  const { turns, asked, until } = store([
    () => streamOf([task(1), text(2, "a"), text(3, "b"), status(4, "TASK_STATE_COMPLETED")]),
  ]);
  let notified = 0;
  const key = turns.send({ ...outgoing, model: "m", incognito: true, bypassApprovals: true });
  turns.onTurn(key, () => {
    notified += 1;
  });
  expect(turns.of("s")).toMatchObject([{ sentText: "hello", state: "queued", open: true }]);
  const turn = await until(key);
  expect(turn).toMatchObject({ taskId: "t1", text: "ab", state: "completed", seq: 4 });
  expect(notified).toBeLessThan(4);
  const metadata = { surface: "console", incognito: true, bypass_approvals: true };
  expect(asked).toEqual([["stream", { parts: [{ text: "hello" }], metadata }, "s", { model: "m" }, "k1"]]);
});

test("a broken connection is resumed behind the last event, however often it breaks", async () => {
  const broken = new ClientError("network", "connection lost");
  const { turns, asked, until } = store([
    () => streamOf([task(1), text(2, "a")], broken),
    () => streamOf([], broken),
    () => streamOf([task(2), text(3, "b"), status(4, "TASK_STATE_COMPLETED")]),
  ]);
  const turn = await until(turns.send(outgoing));
  expect(turn).toMatchObject({ text: "ab", state: "completed", reconnecting: false });
  expect(asked.slice(1)).toEqual([
    ["resubscribe", "t1", 2],
    ["resubscribe", "t1", 2],
  ]);
});

test("usage is recorded at its turn, and that of a turn that is not followed here is ignored", async () => {
  const { turns, until } = store([() => streamOf([task(1), status(2, "TASK_STATE_COMPLETED")])]);
  const key = turns.send(outgoing);
  await until(key);
  const used = { model: "m", tokens: 12, context: 10 };
  turns.recordUsage("another", { ...used, tokens: 99 });
  turns.recordUsage("t1", used);
  expect((await until(key)).usage).toEqual(used);
});

test("a turn that was stored and no longer is, is forgotten; one that is not stored yet stays", async () => {
  const { turns, until } = store([() => streamOf([task(1), status(2, "TASK_STATE_COMPLETED")])]);
  await until(turns.send(outgoing));
  turns.reconcile("s", new Set(), "");
  turns.reconcile("s", new Set(["t1"]), "");
  turns.reconcile("other", new Set(), "");
  turns.reconcile("s", new Set(), "t2");
  expect(turns.of("s")).toHaveLength(1);
  turns.reconcile("s", new Set(["t0"]), "");
  expect(turns.of("s")).toEqual([]);
});

test("a message that could not be sent has its error, and can be sent again or withdrawn", async () => {
  const { turns, asked, until } = store([
    () => streamOf([], new ClientError("http", "too busy", { status: 429 })),
    () => streamOf([task(1), status(2, "TASK_STATE_FAILED", "no model")]),
  ]);
  const key = turns.send(outgoing);
  expect(await until(key)).toMatchObject({ state: "failed", failure: { message: "too busy" } });
  turns.retry("another");
  turns.retry(key);
  expect(turns.of("s")).toHaveLength(1);
  const again = await until(key);
  expect(again).toMatchObject({ state: "failed", note: "no model" });
  expect(again.failure).toBeUndefined();
  // The same key: a message that had arrived after all is not executed twice.
  expect(asked[1]).toEqual(asked[0]);
  expect(turns.withdraw("another")).toBeUndefined();
  expect(turns.withdraw(key)?.text).toBe("hello");
  expect(turns.of("s")).toEqual([]);
});

const waits = (seq: number): AgentEvent => ({
  ...{ kind: "input-required", seq, question: "?", taskId: "t1", contextId: "s" },
  answer: () => Promise.reject(new Error("not called")),
});

test("a running turn is joined once, from its start, and followed beyond where it waited before", async () => {
  const { turns, asked, until } = store([
    () => streamOf([task(1), text(2, "a"), waits(3)]),
    () => streamOf([task(3), text(4, "b"), status(5, "TASK_STATE_COMPLETED")]),
  ]);
  turns.join("s", "t1", 500);
  turns.join("s", "t1", 500);
  expect(turns.of("s")).toMatchObject([{ key: "k1", taskId: "t1", sentText: "", files: [], state: "working" }]);
  expect(await until("k1")).toMatchObject({ state: "completed", text: "ab", startedAt: 500 });
  turns.join("s", "t1", 500);
  expect(asked).toEqual([
    ["resubscribe", "t1", 0],
    ["resubscribe", "t1", 3],
  ]);
});

test("a turn that waits still is left there, and joined again behind its last event once it runs", async () => {
  const { turns, asked, until } = store([
    () => streamOf([task(1), waits(2)]),
    () => streamOf([task(2), waits(2)]),
    () => streamOf([task(2), text(3, "b"), status(4, "TASK_STATE_COMPLETED")]),
  ]);
  turns.join("s", "t1", 500);
  expect(await until("k1")).toMatchObject({ state: "waiting", seq: 2 });
  turns.join("s", "t1", 500);
  expect(await until("k1")).toMatchObject({ state: "completed", text: "b" });
  expect(asked.map((one) => (one as unknown[])[2])).toEqual([0, 2, 2]);
});

test("a joined turn whose stream fails cannot be sent again: this page has no message for it", async () => {
  const { turns, asked, until } = store([() => streamOf([], new ClientError("http", "gone", { status: 404 }))]);
  turns.join("s", "t1", 500);
  expect(await until("k1")).toMatchObject({ state: "failed", failure: { message: "gone" } });
  turns.retry("k1");
  expect([turns.get("k1")?.state, turns.withdraw("k1"), asked.length]).toEqual(["failed", undefined, 1]);
});

test("a message that is sent again is queued until the agent accepts it", async () => {
  const { turns, frames, until } = store([
    () => streamOf([], new ClientError("http", "too busy", { status: 429 })),
    () => streamOf([task(1), status(2, "TASK_STATE_COMPLETED")]),
  ]);
  const key = turns.send(outgoing);
  await until(key);
  turns.retry(key);
  for (const frame of frames.splice(0)) frame();
  expect(turns.get(key)).toMatchObject({ state: "queued", open: true });
  expect((await until(key)).state).toBe("completed");
});

test("files go along as parts, without an empty text", async () => {
  const { turns, asked, until } = store([() => streamOf([task(1), status(2, "TASK_STATE_COMPLETED")])]);
  const file = { name: "a.txt", mediaType: "text/plain", raw: "YQ==" };
  const key = turns.send({ ...outgoing, text: "", files: [file] });
  expect(turns.of("s")).toMatchObject([{ sentText: "", files: [file] }]);
  await until(key);
  const parts = [{ raw: "YQ==", mediaType: "text/plain", filename: "a.txt" }];
  expect(asked).toEqual([["stream", { parts, metadata: { surface: "console" } }, "s", undefined, "k1"]]);
});

test("a turn that ended is neither joined nor sent again, and a message under way is not sent twice", async () => {
  const running = Promise.withResolvers<void>();
  const { turns, asked, until } = store([
    async function* () {
      yield task(1);
      await running.promise;
      yield status(2, "TASK_STATE_COMPLETED");
    },
  ]);
  const key = turns.send(outgoing);
  turns.retry(key);
  running.resolve();
  await until(key);
  turns.join("s", "t1", 0);
  expect(turns.of("s")).toHaveLength(1);
  await until(key);
  expect(turns.get(key)).toMatchObject({ state: "completed", open: false });
  expect(asked).toHaveLength(1);
});

test("leaving the page stops following: no stream is opened again, and the turn stays as it was", async () => {
  const { turns, asked, frames } = store([
    () => streamOf([task(1), text(2, "a")], new ClientError("network", "connection lost")),
  ]);
  const key = turns.send(outgoing);
  turns.close();
  for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve));
  for (const frame of frames.splice(0)) frame();
  expect(asked).toHaveLength(1);
  expect(turns.get(key)).toMatchObject({ state: "queued", text: "" });
});

test("a cancellation that the agent refuses rejects", async () => {
  const { turns } = store([]);
  await expect(turns.cancel("t1")).rejects.toThrow("not called");
});
