import { type CommittedEvent, foldEvents, type PendingPrompt, type TaskEvent } from "@agent-service/agent-core/host";
import { describe, expect, it } from "vitest";
import { frameOfEvent } from "./frame-of-event.ts";
import { taskOfView } from "./task-of-view.ts";

const operator = { mayApprove: true };
const peer = { mayApprove: false };
const usage = { input: 3, output: 2, cacheRead: 1, cacheWrite: 0 };
const approval: PendingPrompt = {
  promptId: "p1",
  callId: "c1",
  tool: "deed",
  reason: "before",
  payload: { kind: "approval", title: "Do it?", detail: "the detail", tool: "deed", args: { secret: "argument" } },
};

function committed(...events: readonly TaskEvent[]): CommittedEvent[] {
  const accepted: TaskEvent = {
    kind: "task.accepted",
    class: "operator",
    context: "x1",
    origin: "a2a",
    input: { messageId: "m1", parts: [{ kind: "text", text: "hi" }] },
    state: "running",
  };
  return [accepted, ...events].map((event, at) => ({ seq: at + 1, at: 1_000 + at, event }));
}

const task = { id: "t1", context: "x1" };
const frames = (events: readonly CommittedEvent[], viewer = operator) =>
  events.map((event) => frameOfEvent(task, event, viewer));

describe("an event as a frame (A6, A13, A14)", () => {
  it.each<[string, TaskEvent]>([
    ["completed", { kind: "task.completed", usage, durationMs: 5 }],
    ["completed with a note", { kind: "task.completed", note: "stopped repeating itself", usage, durationMs: 5 }],
    ["failed", { kind: "task.failed", failure: { code: "x", message: "broke" }, usage, durationMs: 5 }],
    ["canceled", { kind: "task.canceled", usage, durationMs: 5 }],
    ["parked", { kind: "task.parked", prompts: [approval] }],
    ["parked again", { kind: "prompt.rejected", prompt: approval, reason: "no" }],
  ])("the last frame of a task that is %s equals its Task", (_name, end) => {
    const parked: TaskEvent[] = end.kind === "prompt.rejected" ? [{ kind: "task.parked", prompts: [approval] }] : [];
    const events = committed(...parked, end);
    const task = taskOfView(foldEvents("t1", events), operator);
    const last = frames(events).at(-1);
    const { timestamp: _, ...status } = task.status;
    expect(last).toMatchObject({ statusUpdate: { taskId: "t1", contextId: "x1", status } });
    if (last !== undefined && "statusUpdate" in last && last.statusUpdate.metadata !== undefined)
      expect(last.statusUpdate.metadata).toEqual(task.metadata);
  });

  it("internal events are none", () => {
    const internal: TaskEvent[] = [
      { kind: "task.started" },
      { kind: "model.started", call: "model-1", step: 1, model: "m" },
      { kind: "model.retried", call: "model-1", code: "upstream", waitMs: 5 },
      { kind: "reasoning.delta", text: "hm" },
      { kind: "guard.noted", guard: "repetition", text: "again" },
    ];
    expect(frames(committed(...internal))).toEqual(Array.from({ length: 6 }));
  });

  it("an approval's title, detail and arguments are for those who may give it", () => {
    const events = committed({ kind: "task.parked", prompts: [approval] });
    const view = foldEvents("t1", events);
    for (const shown of [frames(events, peer), taskOfView(view, peer)]) {
      expect(JSON.stringify(shown)).not.toMatch(/the detail|argument/);
      expect(JSON.stringify(shown)).toContain("INPUT_REQUIRED");
    }
    expect(JSON.stringify(frames(events))).toContain("the detail");
  });

  it("arguments of a call, also in its title, are shown to every viewer, unless it was approved or that is unknown", () => {
    const started: TaskEvent = {
      ...{ kind: "tool.started", call: "c1", name: "deed", args: '{"secret":"argument"}' },
      title: "Doing it with argument",
    };
    const finished: TaskEvent = {
      ...{ kind: "tool.finished", call: "c1", name: "deed", outcome: "ok", result: "fine", ms: 7 },
      title: "Did it with argument",
    };
    const answer: TaskEvent = {
      kind: "prompt.answered",
      promptId: "p1",
      answer: { messageId: "m2", parts: [{ kind: "text", text: "yes" }] },
      state: "running",
    };
    const plain = foldEvents("t1", committed(started));
    const approved = foldEvents("t1", committed({ kind: "task.parked", prompts: [approval] }, answer, started));
    for (const event of [started, finished]) {
      const shown = [plain, approved, task].map((of) =>
        [operator, peer].map((viewer) =>
          JSON.stringify(frameOfEvent(of, committed(event)[1]!, viewer)).includes("argument"),
        ),
      );
      expect(shown).toEqual([
        [true, true],
        [true, false],
        [true, false],
      ]);
    }
  });
});
