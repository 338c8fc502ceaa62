import { expect, test } from "vitest";
import type { LiveTurn } from "../live/live-turn.ts";
import type { StoredTurn } from "../live/turn-history.ts";
import { firstOfDays, rowsOf, senderOf, viewOf } from "./shown-turns.ts";

const turn = (task_id: string, more: Partial<StoredTurn> = {}): StoredTurn => ({
  ...{ task_id, origin: "a2a", state: "completed", created_at: "2026-11-21T10:00:00.000Z" },
  ...{ last_updated: "2026-11-21T10:00:01.000Z", history: [], text: `answer ${task_id}`, artifacts: [], status: null },
  ...{ tool_calls: [], thoughts: [], model: "demo", usage: null, cost_usd: null, duration_ms: 1, truncated: false },
  ...{ context_tokens: null, context_window: null },
  ...more,
});
const live: LiveTurn = {
  ...{
    key: "k",
    session: "s",
    sentText: "hi",
    files: [],
    startedAt: 5,
    state: "working",
    open: true,
    reconnecting: false,
  },
  ...{ steps: [], text: "so far", components: [] },
};

/** A tool call as the service stores it. */
function stored(more: Partial<StoredTurn["tool_calls"][number]>): StoredTurn["tool_calls"][number] {
  return {
    ...{ call_id: "c", name: "calculator", args: '{"expression":"2+3"}', title: null, outcome: "ok", duration_ms: 7 },
    approval_skipped: null,
    ...more,
  };
}

test("a row keeps its key from sending on", () => {
  expect(rowsOf([turn("a")], [live])).toMatchObject([
    { key: "a", task: "a" },
    { key: "k", live: "k", task: undefined },
  ]);
  expect(rowsOf([turn("a")], [{ ...live, taskId: "b" }])).toMatchObject([{ key: "a" }, { key: "k", task: "b" }]);
  expect(rowsOf([turn("a"), turn("b")], [{ ...live, taskId: "b" }])).toMatchObject([
    { key: "a" },
    { key: "k", live: "k", stored: { task_id: "b" } },
  ]);
  // Removed, or older than the pages that were read: not shown at the end.
  expect(rowsOf([turn("c")], [{ ...live, taskId: "b" }])).toHaveLength(1);
});

test("a running turn is shown from the stream, an ended one from the store with the times it measured", () => {
  expect(viewOf("s", undefined, live)).toMatchObject({ text: "so far", messages: [{ role: "user", text: "hi" }] });
  expect(viewOf("s", turn("a", { state: "working", text: "" }), live)).toMatchObject({
    text: "so far",
    state: "working",
  });
  const step = { kind: "tool", id: "c", name: "calculator", outcome: "ok", ms: 99 } as const;
  const tool_calls = [stored({ call_id: "c", title: "2 + 3 = 5" })];
  const view = viewOf("s", turn("a", { tool_calls }), { ...live, steps: [step] });
  expect(view).toMatchObject({ text: "answer a", state: "completed", steps: [{ id: "c", ms: 7, title: "2 + 3 = 5" }] });
  const skipped = { by: "rule", rule: "git status" } as const;
  const unasked = [stored({ call_id: "c", approval_skipped: skipped })];
  expect(viewOf("s", turn("a", { tool_calls: unasked }), undefined)).toMatchObject({ steps: [{ id: "c", skipped }] });
  const withoutCalls = viewOf("s", turn("a", { tool_calls: [] }), { ...live, steps: [step] });
  expect(withoutCalls?.steps).toEqual([]);
  expect(viewOf("s", turn("a", { tool_calls }), undefined)?.steps).toMatchObject([
    { id: "c", outcome: "ok", ms: 7, args: '{"expression":"2+3"}' },
  ]);
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  expect(viewOf("s", turn("a", { state: "canceled", usage }), undefined)?.tokens).toBeUndefined();
  expect(viewOf("s", undefined, undefined)).toBeUndefined();
});

test("stored thoughts stand between the same calls as when they were streamed", () => {
  const at = "2026-11-21T10:00:00.000Z";
  const thought = (text: string, calls_before: number) => ({
    ...{ text, calls_before, truncated: false, started_at: at, ended_at: "2026-11-21T10:00:04.000Z" },
  });
  const tool_calls = ["one", "two"].map((name) => stored({ call_id: name, name }));
  const kept = turn("a", { tool_calls, thoughts: [thought("first", 0), thought("then", 2), thought("so", 2)] });
  const titles = (steps = viewOf("s", kept, undefined)?.steps) =>
    steps?.map((step) => (step.kind === "thought" ? step.text : step.name));
  expect(titles()).toEqual(["first", "one", "two", "then", "so"]);
  const streamedLate = { kind: "tool", id: "c", name: "two", outcome: "ok" } as const;
  expect(titles(viewOf("s", kept, { ...live, steps: [streamedLate] })?.steps)).toEqual([
    "first",
    "one",
    "two",
    "then",
    "so",
  ]);
});

test("turns that start by themselves are labelled with their origin, and those of people with You", () => {
  expect(["background", "inbox", "chat", "a2a", undefined].map(senderOf)).toEqual([
    ...["A background job", "The inbox", "You", "You", "You"],
  ]);
});

test("a day begins with its first turn, a turn that is only streamed included", () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour);
  const stored = [at(20, 9), at(20, 23), at(21, 1)].map((date, no) =>
    turn(`t${no}`, { created_at: date.toISOString() }),
  );
  const rows = rowsOf(stored, [live]);
  const days = firstOfDays(rows, () => at(22, 8).getTime());
  expect([...days.keys()]).toEqual(["t0", "t2", "k"]);
  expect(days.get("k")?.getDate()).toBe(22);
});

test("the files of a message are those this page sent, else those the service keeps, else names alone", () => {
  const file = { name: "a.png", media_type: "image/png", id: "1.0", size: 3 };
  const history = [{ role: "user" as const, text: "look", at: "2026-11-21T10:00:00.000Z", files: [file] }];
  const filesOf = (view: ReturnType<typeof viewOf>) => view?.messages[0]?.files.map(({ content }) => content);
  const kept = turn("t", { history });
  expect(filesOf(viewOf("s", kept, undefined))).toEqual([{ kind: "stored", session: "s", task: "t", id: "1.0" }]);
  const sent = { ...live, files: [{ name: "a.png", mediaType: "image/png", raw: "AQID" }] };
  expect(filesOf(viewOf("s", kept, sent))).toEqual([{ kind: "held", raw: "AQID" }]);
  const gone = turn("t", { history: [{ ...history[0]!, files: [{ ...file, id: null, size: null }] }] });
  expect(filesOf(viewOf("s", gone, undefined))).toEqual([{ kind: "gone" }]);
});
