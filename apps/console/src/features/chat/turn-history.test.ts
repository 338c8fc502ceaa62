import { expect, test } from "vitest";
import type { LiveTurn } from "./live-turn.ts";
import { rowsOf, speakerOf, viewOf } from "./shown-turns.ts";
import { type StoredTurn, UNREAD, withNewest, withOlder } from "./turn-history.ts";

const turn = (task_id: string, more: Partial<StoredTurn> = {}): StoredTurn => ({
  ...{ task_id, origin: "a2a", state: "completed", created_at: "2026-11-21T10:00:00.000Z" },
  ...{ last_updated: "2026-11-21T10:00:01.000Z", history: [], text: `answer ${task_id}`, artifacts: [], status: null },
  ...{ tool_calls: [], thoughts: [], model: "demo", usage: null, cost_usd: null, duration_ms: 1, truncated: false },
  ...{ context_tokens: null, context_window: null },
  ...more,
});
const page = (ids: readonly string[], next_cursor: string | null) => ({
  turns: ids.map((id) => turn(id)),
  next_cursor,
});
const ids = ({ turns }: { readonly turns: readonly StoredTurn[] }): string =>
  turns.map(({ task_id }) => task_id).join("");
const live: LiveTurn = {
  ...{ key: "k", session: "s", said: "hi", files: [], startedAt: 5, state: "working", open: true, reconnecting: false },
  ...{ steps: [], text: "so far", components: [] },
};

test("the newest page is joined to what was read; older pages go in front; what was taken back goes", () => {
  let history = withNewest(UNREAD, page(["d", "c"], "c"));
  history = withOlder(history, page(["b", "a"], null));
  expect([ids(history), history.older]).toEqual(["abcd", null]);
  history = withNewest(history, page(["e", "d"], "d"));
  expect([ids(history), history.older]).toEqual(["abcde", null]);
  history = withNewest(history, page(["c", "b"], "b"));
  expect(ids(history)).toBe("abc");
  expect(ids(withNewest(history, page([], null)))).toBe("");
});

test("when more came than a page holds, the gap is read again and not hidden", () => {
  const history = withNewest(withNewest(UNREAD, page(["b", "a"], null)), page(["z", "y"], "y"));
  expect([ids(history), history.older]).toEqual(["yz", "y"]);
});

test("a row keeps its key from the sending on", () => {
  expect(rowsOf([turn("a")], [live])).toMatchObject([
    { key: "a", task: "a" },
    { key: "k", live: "k", task: undefined },
  ]);
  expect(rowsOf([turn("a")], [{ ...live, taskId: "b" }])).toMatchObject([{ key: "a" }, { key: "k", task: "b" }]);
  expect(rowsOf([turn("a"), turn("b")], [{ ...live, taskId: "b" }])).toMatchObject([
    { key: "a" },
    { key: "k", live: "k", stored: { task_id: "b" } },
  ]);
  // Taken back, or of a time that was not read: not shown at the end.
  expect(rowsOf([turn("c")], [{ ...live, taskId: "b" }])).toHaveLength(1);
});

test("the stream tells what goes on, the store what ended, with the times it measured", () => {
  expect(viewOf(undefined, live)).toMatchObject({ text: "so far", said: [{ role: "user", text: "hi" }] });
  expect(viewOf(turn("a", { state: "working", text: "" }), live)).toMatchObject({ text: "so far", state: "working" });
  const step = { kind: "tool", id: "c", name: "calculator", outcome: "ok", ms: 99 } as const;
  const tool_calls = [{ name: "calculator", outcome: "ok", duration_ms: 7 }];
  const view = viewOf(turn("a", { tool_calls }), { ...live, steps: [step] });
  expect(view).toMatchObject({ text: "answer a", state: "completed", steps: [{ id: "c", ms: 7 }] });
  const heard = viewOf(turn("a", { tool_calls: [] }), { ...live, steps: [step] });
  expect(heard?.steps).toEqual([]);
  expect(viewOf(turn("a", { tool_calls }), undefined)?.steps).toMatchObject([{ id: "a-0", outcome: "ok", ms: 7 }]);
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  expect(viewOf(turn("a", { state: "canceled", usage }), undefined)?.tokens).toBeUndefined();
  expect(viewOf(undefined, undefined)).toBeUndefined();
});

test("what was thought stands again where it stood, once the page that heard it is gone", () => {
  const at = "2026-11-21T10:00:00.000Z";
  const thought = (text: string, calls_before: number) => ({
    ...{ text, calls_before, truncated: false, started_at: at, ended_at: "2026-11-21T10:00:04.000Z" },
  });
  const tool_calls = ["one", "two"].map((name) => ({ name, outcome: "ok", duration_ms: 7 }));
  const stored = turn("a", { tool_calls, thoughts: [thought("first", 0), thought("then", 2), thought("so", 2)] });
  const told = (steps = viewOf(stored, undefined)?.steps) =>
    steps?.map((step) => (step.kind === "thought" ? step.text : step.name));
  expect(told()).toEqual(["first", "one", "two", "then", "so"]);
  const heardLate = { kind: "tool", id: "c", name: "two", outcome: "ok" } as const;
  expect(told(viewOf(stored, { ...live, steps: [heardLate] })?.steps)).toEqual(["first", "one", "two", "then", "so"]);
});

test("what starts turns by itself is told by its own name, and people are you", () => {
  expect(["background", "inbox", "chat", "a2a", undefined].map(speakerOf)).toEqual([
    ...["A background job", "The inbox", "You", "You", "You"],
  ]);
});
