import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PendingPrompt } from "./prompt.ts";
import type { CommittedEvent, TaskEvent } from "./task-event.ts";
import { isTerminalState } from "./task-event.ts";
import { applyEvent, emptyView, foldEvents, NO_USAGE } from "./task-view.ts";

const input = { messageId: "m", parts: [{ kind: "text", text: "hi" }] } as const;
const prompt = (id: string): PendingPrompt => ({
  promptId: id,
  callId: `call-${id}`,
  tool: "ask",
  reason: "inside",
  payload: { kind: "question", question: "?" },
});
const totals = { usage: { ...NO_USAGE, input: 9 }, durationMs: 5 };
const failure = { code: "x", message: "y" };

const events: TaskEvent[] = [
  { kind: "task.accepted", class: "operator", context: "c", origin: "a2a", input, state: "queued" },
  { kind: "task.accepted", class: "operator", context: "c", origin: "a2a", input, state: "running" },
  { kind: "task.started" },
  { kind: "task.resumed" },
  { kind: "model.started", call: "model-1", step: 1, model: "m" },
  { kind: "model.retried", call: "model-1", code: "model_upstream", waitMs: 1 },
  {
    kind: "model.finished",
    call: "model-1",
    step: 1,
    model: "m",
    finish: "stop",
    ms: 1,
    usage: { ...NO_USAGE, output: 2 },
  },
  { kind: "model.failed", call: "model-1", step: 1, model: "m", failure, ms: 1 },
  { kind: "text.delta", text: "a" },
  { kind: "text.reset" },
  { kind: "reasoning.delta", text: "r" },
  { kind: "tool.started", call: "c1", name: "t", args: "{}" },
  { kind: "tool.finished", call: "c1", name: "t", outcome: "ok", result: "", ms: 1 },
  { kind: "component.shown", call: "c1", component: { component: "table", props: {} } },
  { kind: "input.consumed", inputs: [input] },
  { kind: "guard.noted", guard: "g", text: "t" },
  { kind: "task.parked", prompts: [prompt("1"), prompt("2")] },
  { kind: "prompt.rejected", prompt: prompt("1"), reason: "no" },
  { kind: "prompt.answered", promptId: "1", answer: input, state: "parked" },
  { kind: "prompt.answered", promptId: "2", answer: input, state: "running" },
  { kind: "answer", parts: [{ kind: "text", text: "A" }] },
  { kind: "task.completed", ...totals },
  { kind: "task.failed", failure, ...totals },
  { kind: "task.canceled", ...totals },
];

const committed = fc
  .array(fc.tuple(fc.constantFrom(...events), fc.nat({ max: 5 })), { maxLength: 40 })
  .map((steps) => steps.map(([event, wait], i): CommittedEvent => ({ seq: i + 1, at: i * 10 + wait, event })));

describe("the task's view", () => {
  test("never leaves a terminal state, in any order of events (EN3)", () => {
    fc.assert(
      fc.property(committed, (history) => {
        const view = emptyView("t");
        let ended: string | undefined;
        for (const event of history) {
          applyEvent(view, event);
          if (ended !== undefined) expect(JSON.stringify({ ...view, seq: 0 })).toBe(ended);
          else if (isTerminalState(view.state)) ended = JSON.stringify({ ...view, seq: 0 });
          expect(view.seq).toBe(event.seq);
        }
      }),
    );
  });

  test("is parked only with prompts, has prompts only while parked, and its usage never shrinks before the end", () => {
    fc.assert(
      fc.property(committed, (history) => {
        const view = emptyView("t");
        for (const event of history) {
          const { input: before } = view.usage;
          applyEvent(view, event);
          if (isTerminalState(view.state)) {
            expect([view.prompts, view.modelCall, view.durationMs]).toEqual([[], undefined, 5]);
          } else expect(view.usage.input).toBeGreaterThanOrEqual(before);
          expect(view.parkedMs).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  test("as of event k is the fold of the first k events, and folding events again changes nothing", () => {
    fc.assert(
      fc.property(committed, fc.nat({ max: 40 }), (history, k) => {
        const prefix = history.slice(0, k);
        const stepwise = emptyView("t");
        for (const event of prefix) applyEvent(stepwise, event);
        expect(foldEvents("t", prefix)).toEqual(stepwise);
        for (const event of prefix) applyEvent(stepwise, event);
        expect(foldEvents("t", prefix)).toEqual(stepwise);
        for (const event of history) applyEvent(stepwise, event);
        expect(foldEvents("t", history)).toEqual(stepwise);
      }),
    );
  });

  test("follows the usual events: accepted, streamed, parked, answered, completed", () => {
    const course: TaskEvent[] = [events[1]!, events[4]!, events[8]!, events[9]!, events[16]!, events[17]!];
    const view = foldEvents(
      "t",
      course.map((event, i) => ({ seq: i + 1, at: i, event })),
    );
    expect(view).toMatchObject({ state: "parked", text: "", rejection: "no", steps: 1, createdAt: 0, statusAt: 4 });
    expect(view.prompts.map(({ promptId }) => promptId)).toEqual(["1", "2"]);
    applyEvent(view, {
      seq: 7,
      at: 104,
      event: { kind: "prompt.answered", promptId: "1", answer: input, state: "running" },
    });
    expect(view).toMatchObject({ state: "running", parkedMs: 100, rejection: undefined });
    applyEvent(view, { seq: 8, at: 105, event: events[20]! });
    applyEvent(view, { seq: 9, at: 105, event: { kind: "task.completed", note: "n", ...totals } });
    expect(view).toMatchObject({ state: "completed", note: "n", usage: totals.usage, answer: [{ text: "A" }], seq: 9 });
    expect(view.history.map((entry) => entry.from)).toEqual(["caller", "agent", "caller"]);
  });
});
