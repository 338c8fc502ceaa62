import { expect, test } from "vitest";
import type { JournalRow, TimelineSource } from "./journal.ts";
import { readSteps } from "./read-steps.ts";

const START = Date.parse("2026-11-21T10:00:00.000Z");
const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_creation_tokens: 0 };

type Line = JournalRow extends infer TRow ? (TRow extends JournalRow ? Omit<TRow, "seq" | "at"> : never) : never;

/** A task with journal rows at these milliseconds after its start. */
function journal(
  id: string,
  lines: readonly (readonly [ms: number, line: Line])[],
  more: Partial<TimelineSource["task"]> = {},
  children: readonly TimelineSource[] = [],
): TimelineSource {
  const events = lines.map(
    ([ms, line], index) => ({ ...line, seq: index + 1, at: new Date(START + ms).toISOString() }) as JournalRow,
  );
  const at = events.at(-1)?.at ?? "";
  const task = { task_id: id, state: "working", last_updated: at, role: null, parent_call_id: null, ...more };
  return { task: task as TimelineSource["task"], events, children };
}

const accepted: Line = {
  ...{ kind: "accepted", state: "working", origin: "chat", text: "do", parent_task_id: null, role: null },
};
const asked = (call: string): Line => ({ kind: "model_started", call_id: call, step: 1, model: "m" });
const answered = (call: string): Line => ({
  ...{ kind: "model_finished", call_id: call, step: 1, model: "m", finish: "stop", usage, cost_usd: 0.5 },
  ...{ reasoning_effort: null, duration_ms: 10, tool_calls: [] },
});
const called = (call: string, tool: string, parent: string | null = null): Line => ({
  ...{ kind: "tool_started", call_id: call, tool, args: "{}", truncated: false, parent_call_id: parent },
});
const returned = (call: string, tool: string, outcome = "ok", parent: string | null = null): Line => ({
  ...{ kind: "tool_finished", call_id: call, tool, outcome, result: "r", truncated: false, duration_ms: 20 },
  parent_call_id: parent,
});
const parked = (call: string, prompt: string, parent: string | null = null): Line => ({
  kind: "parked",
  state: "input-required",
  prompts: [
    {
      prompt_id: prompt,
      call_id: call,
      parent_call_id: parent,
      tool: "send",
      kind: "approval",
      reason: "before",
      question: "?",
    },
  ],
});
const decided = (prompt: string): Line => ({ kind: "answered", state: "working", prompt_id: prompt, text: "yes" });
const completed: Line = {
  kind: "completed",
  state: "completed",
  code: null,
  message: null,
  usage,
  cost_usd: 1,
  duration_ms: 9,
};

const shape = (steps: ReturnType<typeof readSteps>) =>
  steps.map(({ label, begin, end, state }) => [label, begin - START, end - START, state]);

test("a call is one step from its start to its end, with its figures; a turn that began at once stood in no line", () => {
  const steps = readSteps(
    journal("t", [
      [0, accepted],
      [0, asked("model-1")],
      [100, answered("model-1")],
      [100, called("a", "calc")],
      [130, returned("a", "calc", "error")],
      [130, completed],
    ]),
    START + 9_999,
  );
  expect(shape(steps)).toEqual([
    ["m", 0, 100, "done"],
    ["calc", 100, 130, "failed"],
  ]);
  expect(steps[0]).toMatchObject({ usage, costUsd: 0.5 });
  expect(steps[1]?.rows.map(({ seq }) => seq)).toEqual([4, 5]);
});

test("a wait for an approval is part of the call that it holds up, from before the call began", () => {
  const [step] = readSteps(
    journal("t", [
      [0, parked("a", "p")],
      [5_000, decided("p")],
      [5_000, called("a", "send")],
      [5_020, returned("a", "send")],
    ]),
    START + 6_000,
  );
  expect(step).toMatchObject({ label: "send", state: "done", begin: START, end: START + 5_020 });
  expect(step?.waits).toEqual([{ begin: START, end: START + 5_000 }]);
});

test("a call whose approval was skipped says why", () => {
  const skipped: Line = { kind: "approval_skipped", call_id: "a", tool: "send", by: "bypass", rule: null };
  const lines = [
    [0, called("a", "send")],
    [0, skipped],
    [20, returned("a", "send")],
  ] as const;
  const [step] = readSteps(journal("t", lines), START + 30);
  expect(step).toMatchObject({ state: "done", note: "not asked: approvals were bypassed" });
});

test("a running step ends now, a waiting step is shown as waiting, and a task that ended has no running step", () => {
  const running = [
    [0, asked("model-1")],
    [0, called("a", "send")],
    [10, parked("b", "p")],
  ] as const;
  expect(shape(readSteps(journal("t", running), START + 700))).toEqual([
    ["m", 0, 700, "running"],
    ["send", 0, 700, "running"],
    ["send", 10, 700, "waiting"],
  ]);
  const canceled: Line = { ...completed, kind: "canceled", state: "canceled", message: "by the operator" } as Line;
  expect(shape(readSteps(journal("t", [...running, [50, canceled]]), START + 700))).toEqual([
    ["m", 0, 50, "interrupted"],
    ["send", 0, 50, "interrupted"],
    ["send", 10, 50, "interrupted"],
    ["Canceled: by the operator", 50, 50, "done"],
  ]);
});

test("what the operator stopped did not fail", () => {
  const steps = readSteps(
    journal("t", [
      [0, asked("model-1")],
      [10, called("a", "send")],
      [20, returned("a", "send", "aborted")],
      [
        20,
        {
          ...{
            kind: "model_failed",
            call_id: "model-1",
            step: 1,
            model: "m",
            reasoning_effort: null,
            code: "aborted",
            message: "",
          },
          ...{ usage: null, cost_usd: null, duration_ms: 20 },
        },
      ],
    ]),
    START + 700,
  );
  expect(steps.map(({ state, note }) => [state, note])).toEqual([
    ["interrupted", ""],
    ["interrupted", "stopped"],
  ]);
});

test("a restart ends the model call that was under way; its repetition is a step of its own", () => {
  const steps = readSteps(
    journal("t", [
      [0, asked("model-1")],
      [0, called("a", "send")],
      [900, { kind: "resumed", state: "working" }],
      [900, asked("model-1")],
      [950, answered("model-1")],
      [960, returned("a", "send", "unknown")],
    ]),
    START + 1_000,
  );
  expect(shape(steps)).toEqual([
    ["m", 0, 0, "interrupted"],
    ["send", 0, 960, "failed"],
    ["Continued after a restart", 900, 900, "done"],
    ["m", 900, 950, "done"],
  ]);
  expect(steps[1]?.note).toBe("outcome unknown");
});

test("a call that waits for a person inside of another lies below it", () => {
  const lines = [called("a", "execute_code"), parked("b", "p", "a"), decided("p"), called("b", "send", "a")];
  const rows = lines.map((line, i): readonly [number, Line] => [i * 10, line]);
  const [script, ...others] = readSteps(journal("t", rows), START + 100);
  expect(others).toEqual([]);
  expect(script?.branches[0]?.steps.map(({ label }) => label)).toEqual(["send"]);
});

test("tasks of subagents and calls inside of a call lie below it", () => {
  const child = journal(
    "c",
    [
      [20, asked("model-1")],
      [80, answered("model-1")],
    ],
    {
      ...{ role: "researcher", parent_call_id: "a", state: "completed", usage, cost_usd: 0.25 },
    },
  );
  const steps = readSteps(
    journal(
      "t",
      [
        [10, called("a", "task")],
        [90, returned("a", "task")],
        [95, called("b", "run_code")],
        [96, called("c", "fetch_url", "b")],
        [97, returned("c", "fetch_url", "ok", "b")],
        [99, returned("b", "run_code")],
      ],
      {},
      [child],
    ),
    START + 100,
  );
  expect(shape(steps)).toEqual([
    ["task (researcher)", 10, 90, "done"],
    ["run_code", 95, 99, "done"],
  ]);
  expect(steps[0]).toMatchObject({ usage, costUsd: 0.25 });
  expect(shape(steps[0]?.branches[0]?.steps ?? [])).toEqual([["m", 20, 80, "done"]]);
  expect(shape(steps[1]?.branches[0]?.steps ?? [])).toEqual([["fetch_url", 96, 97, "done"]]);
});

test("a call waits for a person while what it delegated does", () => {
  const child = (state: "working" | "input-required", ...lines: Parameters<typeof journal>[1]) =>
    journal("c", lines, { role: "researcher", parent_call_id: "a", state, usage, cost_usd: null });
  const delegated = [[0, called("a", "task")]] as const;
  const shown = (below: TimelineSource) => shape(readSteps(journal("t", delegated, {}, [below]), START + 50))[0]?.[3];
  expect(shown(child("input-required", [10, parked("b", "p")]))).toBe("waiting");
  expect(shown(child("working", [10, parked("b", "p")], [20, decided("p")]))).toBe("running");
});

test("a journal that is read from its middle gives the outcomes it has", () => {
  const steps = readSteps(
    journal("t", [
      [500, returned("a", "send")],
      [700, answered("model-3")],
      [900, decided("unseen")],
    ]),
    START + 900,
  );
  expect(shape(steps)).toEqual([
    ["send", 480, 500, "done"],
    ["m", 690, 700, "done"],
  ]);
});

test("a turn whose details were deleted shows that, and has no wait in the queue that the deleted rows would have ended", () => {
  const steps = (model_calls: number, tool_calls: number) =>
    readSteps(
      journal("t", [
        [0, accepted],
        [4_000, { kind: "detail_removed", model_calls, tool_calls }],
        [5_000, { kind: "answer", text: "done", truncated: false } as Line],
        [5_000, completed],
      ]),
      START + 9_000,
    );
  expect(shape(steps(3, 1))).toEqual([
    ["Details deleted because of their age: 3 model calls and 1 tool call", 4_000, 4_000, "done"],
    ["Answer", 5_000, 5_000, "done"],
  ]);
});

test("a turn that was queued shows for how long, and one that started at once shows no queue", () => {
  const queued = (ms: number) =>
    shape(
      readSteps(
        journal("t", [
          [0, accepted],
          [ms, { kind: "started", state: "working" } as Line],
          [ms, completed],
        ]),
        START + 9_000,
      ),
    );
  expect(queued(99)).toEqual([]);
  expect(queued(100)).toEqual([["Queued", 0, 100, "done"]]);
});

test("what the guard, compaction, pruning, cutting and a fallback did are moments with their figures", () => {
  const lines: readonly Line[] = [
    { kind: "noted", guard: "zero-hit", text: "nothing was found" } as Line,
    { kind: "pruned", results: 4 } as Line,
    { kind: "compacted", summarised: 12 } as Line,
    { kind: "cut", left: 250, kept: 750, out_of_sight: 250 } as Line,
    { kind: "model_fallback", from: "a", to: "b" } as unknown as Line,
    { kind: "steered", texts: ["look", "at it".padEnd(70, "!")] } as unknown as Line,
  ];
  const steps = readSteps(
    journal(
      "t",
      lines.map((line, at) => [at, line] as const),
    ),
    START + 10,
  );
  expect(steps.map(({ kind, label }) => (kind === "moment" ? label : kind))).toEqual([
    ...["Guard zero-hit: nothing was found", "Shortened 4 old results", "Summarised 12 messages"],
    ...["Left 250 old messages out of the model's sight", "Went on with b"],
    `You said: look at it${"!".repeat(49)}…`,
  ]);
});

test("a retried model call keeps its notes beside the code it failed with", () => {
  const failed = {
    ...{
      kind: "model_failed",
      call_id: "model-1",
      step: 1,
      model: "m",
      reasoning_effort: null,
      code: "overloaded",
      message: "",
    },
    ...{ usage: null, cost_usd: null, duration_ms: 20 },
  } as Line;
  const [step] = readSteps(
    journal("t", [
      [0, asked("model-1")],
      [5, { kind: "model_retried", call_id: "model-1", code: "rate_limited" } as unknown as Line],
      [20, failed],
    ]),
    START + 30,
  );
  expect(step).toMatchObject({ state: "failed", note: "tried again after rate_limited, overloaded" });
  expect(step?.rows.map(({ kind }) => kind)).toEqual(["model_started", "model_retried", "model_failed"]);
});

test("a task that is parked again goes on with the same wait, and a withdrawn prompt ends it", () => {
  const [step] = readSteps(
    journal("t", [
      [0, parked("a", "p")],
      [10, parked("a", "p")],
      [30, { kind: "withdrawn", prompt_id: "p" } as unknown as Line],
    ]),
    START + 50,
  );
  expect(step?.waits).toEqual([{ begin: START, end: START + 30 }]);
  expect(step?.state).toBe("running");
});

test("the cost of a call that delegated is unknown where one of its tasks has none", () => {
  const child = (id: string, cost_usd: number | null) =>
    journal(id, [[20, asked("model-1")]], { role: null, parent_call_id: "a", state: "completed", usage, cost_usd });
  const costOf = (...costs: readonly (number | null)[]) =>
    readSteps(
      journal(
        "t",
        [
          [10, called("a", "task")],
          [90, returned("a", "task")],
        ],
        {},
        costs.map((cost, at) => child(`c${at}`, cost)),
      ),
      START + 100,
    )[0];
  expect(costOf(0.25, 0.5)).toMatchObject({ costUsd: 0.75, usage: { input_tokens: 2, output_tokens: 4 } });
  expect(costOf(0.25, null)?.costUsd).toBeNull();
});

test("a background job stands below the call that began it, with a cost of its own that is no part of the call's", () => {
  const job = journal("job", [[300, asked("model-1")]], {
    ...{ role: "researcher", origin: "background", parent_call_id: "a", state: "completed", usage, cost_usd: 0.5 },
  });
  const [step] = readSteps(
    journal(
      "t",
      [
        [10, called("a", "task")],
        [20, returned("a", "task")],
      ],
      {},
      [job],
    ),
    START + 400,
  );
  expect(step).toMatchObject({ usage: null, costUsd: null, end: START + 20 });
  expect(step?.branches).toMatchObject([
    { label: "Job (researcher)", task: { cost_usd: 0.5 }, steps: [{ label: "m" }] },
  ]);
});
