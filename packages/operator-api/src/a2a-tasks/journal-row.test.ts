import type { PendingPrompt, TaskEvent } from "@agent-service/agent-core/host";
import * as v from "valibot";
import { expect, it } from "vitest";
import { journalRowOf } from "./journal-row.ts";
import { journalRowSchema } from "./journal-row-schema.ts";

const input = { messageId: "m", parts: [{ kind: "text" as const, text: "x".repeat(9_000) }] };
const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
const prompt: PendingPrompt = {
  ...{ promptId: "p", callId: "c", tool: "send", reason: "before" },
  payload: { kind: "approval", title: "Send it?", detail: "", tool: "send", args: {} },
};
const failure = { code: "upstream", message: "It broke." };
const totals = { usage, durationMs: 5 };

const EVENTS: readonly (readonly [TaskEvent, object])[] = [
  [
    { kind: "task.accepted", context: "c", class: "operator", origin: "chat", input, state: "queued", role: "r" },
    { kind: "accepted", state: "working", text: "x".repeat(8_000), parent_task_id: null, role: "r" },
  ],
  [{ kind: "task.started" }, { kind: "started", state: "working" }],
  [{ kind: "task.resumed" }, { kind: "resumed" }],
  [
    { kind: "model.started", call: "c", step: 1, model: "m" },
    { kind: "model_started", step: 1 },
  ],
  [
    { kind: "model.retried", call: "c", code: "upstream", waitMs: 7 },
    { kind: "model_retried", wait_ms: 7 },
  ],
  [
    { kind: "model.fallback", from: "a", to: "b", code: "upstream" },
    { kind: "model_fallback", to: "b" },
  ],
  [
    { kind: "model.finished", call: "c", step: 1, model: "m", finish: "stop", usage, costUsd: 0.5, ms: 6 },
    { kind: "model_finished", usage: { input_tokens: 1, cache_creation_tokens: 4 }, cost_usd: 0.5, tool_calls: [] },
  ],
  [
    { kind: "model.failed", call: "c", step: 1, model: "m", failure, ms: 6 },
    { kind: "model_failed", ...failure, usage: null, cost_usd: null },
  ],
  [
    { kind: "tool.started", call: "c", name: "send", args: "{}" },
    { kind: "tool_started", args: "{}", truncated: false },
  ],
  [
    { kind: "tool.finished", call: "c", name: "send", outcome: "ok", result: "r", ms: 1, parentCall: "p" },
    { kind: "tool_finished", result: "r", parent_call_id: "p" },
  ],
  [
    { kind: "delegation.finished", call: "c", task: "t", state: "failed", models: [] },
    { kind: "delegation_finished", task_id: "t", state: "failed" },
  ],
  [
    {
      kind: "component.shown",
      call: "c",
      component: { name: "chart", mediaType: "application/json", data: {} } as never,
    },
    { kind: "component_shown", component: { name: "chart" } },
  ],
  [
    { kind: "input.consumed", inputs: [input] },
    { kind: "steered", texts: ["x".repeat(8_000)] },
  ],
  [
    { kind: "guard.noted", guard: "loop", text: "Again." },
    { kind: "noted", guard: "loop" },
  ],
  [
    { kind: "context.pruned", results: 1, chars: 2 },
    { kind: "pruned", results: 1 },
  ],
  [
    { kind: "context.compacted", summarised: 1, kept: 2, chars: 3 },
    { kind: "compacted", kept: 2 },
  ],
  [
    {
      ...{ kind: "context.recalled", step: 1, mode: "keyword", chars: 90, ms: 3, late: true, sessions: ["s"] },
      items: [{ chunk: 7, revision: 2, kind: "always", trust: "operator" }],
      leftOut: [{ chunk: 8, reason: "floor" }],
    },
    {
      ...{ kind: "recalled", step: 1, chars: 90, duration_ms: 3, late: true, session_ids: ["s"] },
      items: [
        { chunk_id: 7, revision: 2, kind: "always", trust: "operator", score: null, keyword_rank: null, words: null },
      ],
      left_out: [{ chunk_id: 8, reason: "floor" }],
    },
  ],
  [
    { kind: "context.cut", left: 1, kept: 2, outOfSight: 3 },
    { kind: "cut", left: 1, out_of_sight: 3 },
  ],
  [
    { kind: "task.parked", prompts: [prompt] },
    { kind: "parked", state: "input-required", prompts: [{ prompt_id: "p", kind: "approval", question: "Send it?" }] },
  ],
  [
    { kind: "task.parked", prompts: [{ ...prompt, parentCall: "script" }] },
    { kind: "parked", state: "input-required", prompts: [{ prompt_id: "p", parent_call_id: "script" }] },
  ],
  [
    { kind: "prompt.rejected", prompt, reason: "No." },
    { kind: "reply_rejected", message: "No." },
  ],
  [
    {
      kind: "prompt.answered",
      promptId: "p",
      answer: { messageId: "m", parts: [{ kind: "data", data: 1 }] },
      state: "parked",
    },
    { kind: "answered", state: "input-required", text: "1" },
  ],
  [
    { kind: "prompt.withdrawn", promptId: "p" },
    { kind: "withdrawn", prompt_id: "p" },
  ],
  [
    { kind: "answer", parts: [{ kind: "text", text: "y".repeat(9_000) }] },
    { kind: "answer", text: "y".repeat(8_000), truncated: true },
  ],
  [
    { kind: "task.completed", note: "cut", ...totals },
    { kind: "completed", message: "cut", code: null },
  ],
  [
    { kind: "task.failed", failure, ...totals, costUsd: 1 },
    { kind: "failed", ...failure, cost_usd: 1 },
  ],
  [
    { kind: "task.canceled", ...totals },
    { kind: "canceled", state: "canceled" },
  ],
  [{ kind: "text.reset" }, { kind: "other", event: "text.reset" }],
];

it.each(EVENTS.map(([event, row]) => [event.kind, event, row] as const))("%s", (_, event, row) => {
  const line = journalRowOf({ seq: 3, at: 0, event });
  expect(line).toMatchObject({ seq: 3, at: "1970-01-01T00:00:00.000Z", ...row });
  expect(v.parse(journalRowSchema, line)).toEqual(line);
});

it("shows a call's arguments and result as its row has them", () => {
  const stored = { args: "whole", result: "all of it", truncated: true };
  const started = { kind: "tool.started", call: "c", name: "n", args: "wh" } as const;
  const finished = { kind: "tool.finished", call: "c", name: "n", outcome: "ok", result: "al", ms: 1 } as const;
  expect(journalRowOf({ seq: 1, at: 0, event: started }, stored)).toMatchObject({ args: "whole", truncated: true });
  expect(journalRowOf({ seq: 1, at: 0, event: finished }, stored)).toMatchObject({ result: "all of it" });
});
