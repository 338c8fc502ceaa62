import { type AgentEvent, ClientError } from "@agent-service/a2a-protocol/client";
import { expect, test } from "vitest";
import { foldEvent, type LiveTurn } from "./live-turn.ts";
import { createLiveTurns, type LiveTurnsOptions } from "./live-turns.ts";

const place = { id: "t1", contextId: "s", status: { state: "TASK_STATE_WORKING" } } as const;
const task = (seq: number): AgentEvent => ({ kind: "task", seq, task: place });
const text = (seq: number, delta: string): AgentEvent => ({ kind: "text", seq, delta, artifactId: "answer" });
const status = (seq: number, state: "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED", message = ""): AgentEvent => ({
  ...{ kind: "status", seq, state, text: message, final: true },
});
const thought = (seq: number, reasoning: string): AgentEvent => ({
  ...{ kind: "status", seq, state: "TASK_STATE_WORKING", text: "", final: false },
  message: {
    ...{ messageId: "m", role: "ROLE_AGENT" },
    parts: [{ data: { text: reasoning }, mediaType: "application/vnd.agent-service.reasoning-v1+json" }],
  },
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
    if (stream === undefined) throw new Error("asked once too often");
    return stream();
  };
  const agent: Awaited<ReturnType<LiveTurnsOptions["agent"]>> = {
    stream: (input, options) => next(["stream", input, options?.contextId, options?.metadata, options?.idempotencyKey]),
    resubscribe: (id, options) => next(["resubscribe", id, options?.after]),
    cancel: () => Promise.reject(new Error("not asked")),
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
  /** Draws frames until the turn is no longer heard of. */
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

const outgoing = { session: "s", text: "hello", files: [], model: "", incognito: false };

test("a message is sent as the console's, and shown by the frame", async () => {
  const { turns, asked, until } = store([
    () => streamOf([task(1), text(2, "a"), text(3, "b"), status(4, "TASK_STATE_COMPLETED")]),
  ]);
  let notified = 0;
  const key = turns.send({ ...outgoing, model: "m", incognito: true });
  turns.onTurn(key, () => {
    notified += 1;
  });
  expect(turns.of("s")).toMatchObject([{ sentText: "hello", state: "queued", open: true }]);
  const turn = await until(key);
  expect(turn).toMatchObject({ taskId: "t1", text: "ab", state: "completed", seq: 4 });
  expect(notified).toBeLessThan(4);
  const metadata = { surface: "console", incognito: true };
  expect(asked).toEqual([["stream", { parts: [{ text: "hello" }], metadata }, "s", { model: "m" }, "k1"]]);
});

test("a broken connection is picked up behind the last event, however often", async () => {
  const broken = new ClientError("network", "gone");
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

test("what a turn took so far is shown at it, and of a turn nobody follows here it is nothing", async () => {
  const { turns, until } = store([() => streamOf([task(1), status(2, "TASK_STATE_COMPLETED")])]);
  const key = turns.send(outgoing);
  await until(key);
  const used = { model: "m", tokens: 12, context: 10 };
  turns.recordUsage("another", { ...used, tokens: 99 });
  turns.recordUsage("t1", used);
  expect((await until(key)).usage).toEqual(used);
});

test("a turn that was stored and is not any more is forgotten; one that is not stored yet stays", async () => {
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

test("what cannot be sent says why, and can be sent again or dropped", async () => {
  const { turns, asked, until } = store([
    () => streamOf([], new ClientError("http", "too busy", { status: 429 })),
    () => streamOf([task(1), status(2, "TASK_STATE_FAILED", "no model")]),
  ]);
  const key = turns.send(outgoing);
  expect(await until(key)).toMatchObject({ state: "failed", failure: { message: "too busy" } });
  turns.retry(key);
  const again = await until(key);
  expect(again).toMatchObject({ state: "failed", note: "no model" });
  expect(again.failure).toBeUndefined();
  // The same request: what had arrived all the same is not done twice.
  expect(asked[1]).toEqual(asked[0]);
  expect(turns.withdraw(key)?.text).toBe("hello");
  expect(turns.of("s")).toEqual([]);
});

test("a turn that runs is joined once, from its start, and gone on with after it waited", async () => {
  const waits: AgentEvent = {
    ...{ kind: "input-required", seq: 3, question: "?", taskId: "t1", contextId: "s" },
    answer: () => Promise.reject(new Error("not asked")),
  };
  const { turns, asked, until } = store([
    () => streamOf([task(1), text(2, "a"), waits]),
    () => streamOf([task(3), text(4, "b"), status(5, "TASK_STATE_COMPLETED")]),
  ]);
  turns.join("s", "t1", 500);
  turns.join("s", "t1", 500);
  expect(await until("k1")).toMatchObject({ state: "waiting", text: "a", startedAt: 500 });
  turns.join("s", "t1", 500);
  expect(await until("k1")).toMatchObject({ state: "completed", text: "ab" });
  turns.join("s", "t1", 500);
  expect(asked).toEqual([
    ["resubscribe", "t1", 0],
    ["resubscribe", "t1", 3],
  ]);
});

test("thoughts, calls and reset text are folded into steps and the answer", () => {
  const blank: LiveTurn = {
    ...{
      key: "k",
      session: "s",
      sentText: "",
      files: [],
      startedAt: 0,
      state: "working",
      open: true,
      reconnecting: false,
    },
    ...{ steps: [], text: "", components: [] },
  };
  const call = { kind: "tool", toolCallId: "c", name: "calculator" } as const;
  const component = { component: "table", props: {} };
  const parts = [{ data: component, mediaType: "application/vnd.agent-service.component-v1+json" }];
  const events: readonly AgentEvent[] = [
    ...[
      thought(1, "hm"),
      thought(2, "m"),
      text(3, "let me see"),
      { kind: "text-reset", artifactId: "answer" } as const,
    ],
    ...[{ ...call, phase: "started", args: "{}" } as const, { ...call, phase: "failed", result: "no" } as const],
    { kind: "artifact", artifact: { artifactId: "x", parts } },
    text(9, "done"),
  ];
  const turn = events.reduce((now, event, at) => foldEvent(now, event, at * 10), blank);
  expect(turn.steps).toEqual([
    { kind: "thought", id: "thought-0", text: "hmm", startedAt: 0, endedAt: 20 },
    { kind: "tool", id: "c", name: "calculator", outcome: "failed", args: "{}", result: "no", startedAt: 40, ms: 10 },
  ]);
  expect(turn).toMatchObject({ text: "done", components: [component] });
});
