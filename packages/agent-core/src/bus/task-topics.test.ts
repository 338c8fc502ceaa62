import { expect, test } from "vitest";
import { applyEvent, emptyView, NO_USAGE, type PendingPrompt, type TaskEvent } from "../event/index.ts";
import { createRedactor } from "../redaction/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { EventLog, publishTasks } from "./index.ts";

/** What commits of one event each publish. */
async function published(events: readonly TaskEvent[], listens = true): Promise<readonly [string, object][]> {
  const log = new EventLog({ epoch: 1, clock: manualClock(), redactor: createRedactor() });
  const abort = new AbortController();
  const pages = listens ? log.follow(undefined, abort.signal) : undefined;
  const publish = publishTasks(log);
  const view = emptyView("t");
  for (const [i, event] of events.entries()) {
    const committed = { seq: i + 1, at: i, event };
    applyEvent(view, committed);
    publish({ view }, [committed]);
  }
  if (pages === undefined) return [[log.cursor, {}]];
  log.close();
  const all = (await Array.fromAsync(pages)).flat();
  return all.map(({ topic, text }) => [topic, (JSON.parse(text) as { data: object }).data]);
}

const prompt: PendingPrompt = {
  ...{ promptId: "p", callId: "c", tool: "ask", reason: "inside" },
  payload: { kind: "question", question: "Which?" },
};
const input = { messageId: "m", parts: [] };
const totals = { usage: NO_USAGE, durationMs: 4 };
const accepted: TaskEvent = {
  ...{ kind: "task.accepted", context: "s", class: "operator", origin: "subagent", input, state: "queued" },
  parent: { task: "lead", call: "c" },
};
const EVENTS: readonly TaskEvent[] = [
  accepted,
  { kind: "task.started" },
  { kind: "model.fallback", from: "a", to: "b", code: "upstream" },
  {
    ...{ kind: "model.finished", call: "m", step: 1, model: "b", finish: "tool_calls", ms: 2 },
    usage: { input: 40, output: 2, cacheRead: 0, cacheWrite: 0 },
  },
  { kind: "tool.started", call: "c", name: "ask", args: "{}" },
  { kind: "task.parked", prompts: [prompt] },
  { kind: "prompt.answered", promptId: "p", answer: input, state: "running" },
  { kind: "tool.finished", call: "c", name: "ask", outcome: "ok", result: "secret text", ms: 3 },
  { kind: "text.delta", text: "secret text" },
  { kind: "task.failed", failure: { code: "upstream", message: "It broke." }, ...totals },
];

test("a turn's way from acceptance to its end, without any text of it (O7)", async () => {
  const lines = await published(EVENTS);
  expect(lines.map(([topic]) => topic)).toEqual([
    ...["turn.queued", "turn.started", "model.fallback", "turn.progress", "turn.progress"],
    ...["turn.input_required", "turn.resumed", "turn.progress", "turn.finished"],
  ]);
  const turn = { task_id: "t", session_id: "s", class: "operator", origin: "subagent", parent_task_id: "lead" };
  expect(lines[0]![1]).toEqual({ ...turn, state: "queued" });
  expect(lines[3]![1]).toEqual({
    ...{ task_id: "t", session_id: "s", phase: "model_end", model: "b" },
    ...{ input_tokens: 40, output_tokens: 2, context_tokens: 40 },
  });
  expect(lines[5]![1]).toEqual({ ...turn, state: "parked", prompt_id: "p", reason: "inside" });
  expect(lines[7]![1]).toMatchObject({ phase: "tool_end", tool: "ask", outcome: "ok", ms: 3 });
  expect(lines[8]![1]).toEqual({
    ...{ ...turn, state: "failed", ok: false, code: "upstream", cost_usd: null, duration_ms: 4 },
    ...{ input_tokens: 0, output_tokens: 0 },
  });
  expect(JSON.stringify(lines)).not.toContain("secret text");
});

test("a turn's cost has no floating-point residue: it is rounded to a billionth of a dollar", async () => {
  const call = { ...{ call: "m", step: 1, model: "m", finish: "stop", ms: 1 }, usage: { ...NO_USAGE, output: 1 } };
  const priced = [0.1, 0.2].map((costUsd): TaskEvent => ({ kind: "model.finished", ...call, costUsd }));
  const lines = await published([accepted, ...priced, { kind: "task.canceled", ...totals }]);
  expect(lines.at(-1)![1]).toMatchObject({ cost_usd: 0.3 });
});

test("the other ends, and a restart that continues", async () => {
  const lines = await published([accepted, { kind: "task.resumed" }, { kind: "task.canceled", ...totals }]);
  expect(lines.map(([topic]) => topic)).toEqual(["turn.queued", "turn.resumed", "turn.finished"]);
});

test("costs nothing before the first subscription: not even a number", async () => {
  expect(await published(EVENTS, false)).toEqual([["1-0", {}]]);
});
