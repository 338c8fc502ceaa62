import type { AgentEvent } from "@agent-service/a2a-protocol/client";
import { expect, test } from "vitest";
import { foldEvent, type LiveTurn } from "./live-turn.ts";

const blank: LiveTurn = {
  ...{ key: "k", session: "s", sentText: "", files: [], startedAt: 0, state: "working", open: true },
  ...{ reconnecting: false, steps: [], text: "", components: [] },
};
const task: AgentEvent = {
  ...{ kind: "task", seq: 1 },
  task: { id: "t1", contextId: "s", status: { state: "TASK_STATE_WORKING" } },
};
const text = (delta: string, artifactId = "answer"): AgentEvent => ({ kind: "text", delta, artifactId });
type State = Extract<AgentEvent, { readonly kind: "status" }>["state"];
const status = (state: State, note = "", final = true): AgentEvent => ({ kind: "status", state, text: note, final });
const thought = (reasoning: string): AgentEvent => ({
  ...{ kind: "status", state: "TASK_STATE_WORKING", text: "", final: false },
  message: {
    ...{ messageId: "m", role: "ROLE_AGENT" },
    parts: [{ data: { text: reasoning }, mediaType: "application/vnd.agent-service.reasoning-v1+json" }],
  },
});

const waits: AgentEvent = {
  ...{ kind: "input-required", question: "?", taskId: "t1", contextId: "s" },
  answer: () => Promise.reject(new Error("not called")),
};

/** The turn after events that arrive ten milliseconds apart. */
const fold = (...events: readonly AgentEvent[]): LiveTurn =>
  events.reduce((turn, event, index) => foldEvent(turn, event, index * 10), blank);

test("thoughts, calls and reset text are folded into steps and the answer", () => {
  const call = { kind: "tool", toolCallId: "c", name: "calculator" } as const;
  const component = { component: "table", props: {} };
  const parts = [{ data: component, mediaType: "application/vnd.agent-service.component-v1+json" }];
  const events: readonly AgentEvent[] = [
    ...[thought("hm"), thought("m"), text("let me see"), { kind: "text-reset", artifactId: "answer" } as const],
    ...[{ ...call, phase: "started", args: "{}" } as const, { ...call, phase: "failed", result: "no" } as const],
    { kind: "artifact", artifact: { artifactId: "x", parts } },
    text("done"),
  ];
  const turn = fold(...events);
  expect(turn.steps).toEqual([
    { kind: "thought", id: "thought-0", text: "hmm", startedAt: 0, endedAt: 20 },
    { kind: "tool", id: "c", name: "calculator", outcome: "failed", args: "{}", result: "no", startedAt: 40, ms: 10 },
  ]);
  expect(turn).toMatchObject({ text: "done", components: [component] });
});

test("only the answer's artifact is text of the answer, and only its reset empties it", () => {
  expect(fold(text("a"), text("b", "other"), { kind: "text-reset", artifactId: "other" }).text).toBe("a");
});

test("a turn ends in the state of its final status, with a note where there is one", () => {
  expect(fold(status("TASK_STATE_COMPLETED"))).toMatchObject({ state: "completed" });
  expect(fold(status("TASK_STATE_COMPLETED"))).not.toHaveProperty("note");
  expect(fold(status("TASK_STATE_CANCELED", "by the operator"))).toMatchObject({
    ...{ state: "canceled", note: "by the operator" },
  });
  for (const state of ["TASK_STATE_FAILED", "TASK_STATE_REJECTED"] as const) {
    expect(fold(status(state, "no model"))).toMatchObject({ state: "failed", note: "no model" });
  }
});

test("a turn that waited works again with the next status, and a joined stream's task does not reopen an ended turn", () => {
  expect(fold(task, waits).state).toBe("waiting");
  expect(fold(task, waits, status("TASK_STATE_WORKING", "", false)).state).toBe("working");
  expect(fold(task, waits, task).state).toBe("working");
  for (const [state, shown] of [
    ["TASK_STATE_COMPLETED", "completed"],
    ["TASK_STATE_CANCELED", "canceled"],
    ["TASK_STATE_FAILED", "failed"],
  ] as const) {
    expect(fold(task, status(state), task)).toMatchObject({ state: shown, taskId: "t1" });
  }
});

test("only the text of reasoning is a thought: other parts and other data of a working status add nothing", () => {
  const reasoning = "application/vnd.agent-service.reasoning-v1+json";
  const working = (parts: readonly object[]): AgentEvent =>
    ({
      ...{ kind: "status", state: "TASK_STATE_WORKING", text: "", final: false },
      message: { messageId: "m", role: "ROLE_AGENT", parts },
    }) as AgentEvent;
  const other = [
    { text: "plain" },
    { data: { text: "of no type" } },
    { data: { text: "of another" }, mediaType: "application/json" },
    { data: { text: "of a later one" }, mediaType: `${reasoning}.gz` },
    ...[null, "text", 7, {}, { text: 7 }].map((data) => ({ data, mediaType: reasoning })),
  ];
  expect(fold(working(other))).toMatchObject({ steps: [], state: "working" });
  expect(fold(working([...other, { data: { text: "hm" }, mediaType: reasoning }])).steps).toEqual([
    { kind: "thought", id: "thought-0", text: "hm", startedAt: 0 },
  ]);
});

test("waiting and ending end a thought, and one that ended is not continued", () => {
  const thoughts = (...events: readonly AgentEvent[]) =>
    fold(thought("a"), ...events).steps.map((step) => (step.kind === "thought" ? [step.text, step.endedAt] : []));
  expect(thoughts(waits)).toEqual([["a", 10]]);
  expect(thoughts(status("TASK_STATE_FAILED"))).toEqual([["a", 10]]);
  expect(thoughts(waits, thought("b"))).toEqual([
    ["a", 10],
    ["b", undefined],
  ]);
});

test("a call of which only the end was received has no duration, and a call inside of another names it", () => {
  const ended = { kind: "tool", toolCallId: "c", name: "calc", phase: "completed", result: "5" } as const;
  expect(fold(ended).steps).toEqual([
    { kind: "tool", id: "c", startedAt: 0, name: "calc", outcome: "ok", result: "5" },
  ]);
  const inner = { kind: "tool", toolCallId: "d", name: "calc", phase: "started", parentToolCallId: "c" } as const;
  const [outer, started] = fold(ended, inner).steps;
  expect(outer).not.toHaveProperty("parent");
  expect(started).toEqual({ kind: "tool", id: "d", startedAt: 10, name: "calc", parent: "c", outcome: "running" });
  const again = fold(inner, { ...inner, args: "{}" }).steps;
  expect(again).toEqual([{ ...started, startedAt: 0, args: "{}" }]);
});

test("data of another type than a component is not shown as one", () => {
  const component = "application/vnd.agent-service.component-v1+json";
  const types = ["application/json", `${component}.gz`];
  const parts = [...types.map((mediaType) => ({ data: {}, mediaType })), { data: {} }, { text: "a" }];
  const artifact = { artifactId: "x", parts };
  expect(fold({ kind: "artifact", artifact }).components).toEqual([]);
});

test("a thought is no call, though a call has its id", () => {
  const call = { kind: "tool", toolCallId: "thought-0", name: "calc", phase: "started" } as const;
  expect(fold(thought("hm"), call).steps).toMatchObject([{ kind: "thought" }, { kind: "tool", startedAt: 10 }]);
});

test("a thought makes a waiting turn work again", () => {
  expect(fold(task, waits, thought("hm")).state).toBe("working");
});

test("a plain message is the whole answer, and events without a number keep the last one", () => {
  const message = { kind: "message", text: "hello" } as AgentEvent;
  expect(fold(text("x"), message)).toMatchObject({ text: "hello", state: "completed" });
  expect(fold({ ...text("x"), seq: 7 }, text("y")).seq).toBe(7);
});
