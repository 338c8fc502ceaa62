import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { JournalRow, TimelineSource } from "./journal.ts";
import { CutNote, Timeline } from "./timeline.tsx";
import { timelineOf } from "./timeline-data.ts";

const usage = { input_tokens: 1_900, output_tokens: 210, cache_read_tokens: 0, cache_creation_tokens: 0 };
const at = (ms: number): string => new Date(Date.UTC(2026, 10, 21) + ms).toISOString();

const events: readonly JournalRow[] = [
  { kind: "model_started", seq: 1, at: at(0), call_id: "model-1", step: 1, model: "large" },
  {
    ...{ kind: "model_finished", seq: 2, at: at(900), call_id: "model-1", step: 1, model: "large", finish: "stop" },
    ...{ reasoning_effort: null, usage, cost_usd: 0.004, duration_ms: 900, tool_calls: [] },
  },
  {
    ...{ kind: "parked", seq: 3, at: at(900), state: "input-required" },
    prompts: [
      {
        prompt_id: "p",
        call_id: "c",
        parent_call_id: null,
        tool: "run_command",
        kind: "approval",
        reason: "before",
        question: "Run?",
      },
    ],
  },
  { kind: "answered", seq: 4, at: at(61_000), state: "working", prompt_id: "p", text: "<b>yes</b>" },
  {
    ...{ kind: "tool_started", seq: 5, at: at(61_000), call_id: "c", tool: "run_command", args: '{"command":"ls"}' },
    ...{ truncated: false, parent_call_id: null },
  },
  {
    ...{ kind: "tool_finished", seq: 6, at: at(61_400), call_id: "c", tool: "run_command", outcome: "ok" },
    ...{ result: "done", truncated: false, duration_ms: 400, parent_call_id: null },
  },
];
const source: TimelineSource = {
  task: { task_id: "t", state: "working", last_updated: at(61_400) } as TimelineSource["task"],
  events,
  children: [],
};

test("a timeline shows every step with its figures, and what it cut", () => {
  const timeline = timelineOf(source, Date.parse(at(61_400)));
  const shown = renderToStaticMarkup(<Timeline timeline={timeline} />);
  expect(shown).toContain("large");
  expect(shown).toMatch(/1\.9K → 210 tok<\/span><span [^>]*>\$0\.0040</);
  expect(shown).toContain("400 ms · waited 1 min 0 s");
  expect(shown).not.toContain("model finished");
  expect(shown).toMatch(/max-width:calc\(\(100% - \d+\.\dpx\) \* 9999\)">0</);
  expect(renderToStaticMarkup(<CutNote scale={timeline.scale} />)).toContain("time is cut: 1 min 0 s");
});

test("printed, it holds the lines of the journal, as text", () => {
  const shown = renderToStaticMarkup(<Timeline timeline={timelineOf(source, 0)} printed />);
  expect(shown).toContain("model finished");
  expect(shown).toContain("&lt;b&gt;yes&lt;/b&gt;");
  expect(shown).toContain("&quot;command&quot;: &quot;ls&quot;");
});

test("a tool call took as long as the engine measured, as in the chat, whenever the line of its end was written", () => {
  const late = events.map((row) => (row.kind === "tool_finished" ? { ...row, at: at(63_000) } : row));
  const timeline = timelineOf({ ...source, events: late }, Date.parse(at(63_000)));
  const shown = renderToStaticMarkup(<Timeline timeline={timeline} />);
  expect(shown).toContain("400 ms · waited 1 min 0 s");
  expect(shown).not.toContain("2.0 s · waited");
});
