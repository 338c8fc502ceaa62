import { expect, test } from "vitest";
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

test("the newest page is joined to the turns read before, older pages go in front, and removed turns are dropped", () => {
  let history = withNewest(UNREAD, page(["d", "c"], "c"));
  history = withOlder(history, page(["b", "a"], null));
  expect([ids(history), history.older]).toEqual(["abcd", null]);
  history = withNewest(history, page(["e", "d"], "d"));
  expect([ids(history), history.older]).toEqual(["abcde", null]);
  history = withNewest(history, page(["c", "b"], "b"));
  expect(ids(history)).toBe("abc");
  expect(ids(withNewest(history, page([], null)))).toBe("");
});

test("when more turns came than a page holds, the gap is read again and not hidden", () => {
  const history = withNewest(withNewest(UNREAD, page(["b", "a"], null)), page(["z", "y"], "y"));
  expect([ids(history), history.older]).toEqual(["yz", "y"]);
});

test("a page that was read before adds nothing twice, and the first page may be an older one", () => {
  const newest = withNewest(UNREAD, page(["d", "c"], "c"));
  expect(ids(withOlder(newest, page(["c", "b"], null)))).toBe("bcd");
  expect(ids(withOlder(UNREAD, page(["b", "a"], null)))).toBe("ab");
  expect([UNREAD.older, ids(UNREAD)]).toEqual([undefined, ""]);
});

test("a page without an older one is the whole session: what was read before it and is not in it was removed", () => {
  const known = withNewest(UNREAD, page(["b", "a"], null));
  expect(withNewest(known, page([], null))).toEqual({ turns: [], older: null });
  const replaced = withNewest(known, page(["z"], null));
  expect([ids(replaced), replaced.older]).toEqual(["z", null]);
  const trimmed = withNewest(known, page(["c", "b"], null));
  expect([ids(trimmed), trimmed.older]).toEqual(["bc", null]);
});

test("a page that reaches back as far as the history takes its place, older page and all", () => {
  const again = withNewest(withNewest(UNREAD, page(["b", "a"], "a")), page(["c", "b", "a"], "0"));
  expect([ids(again), again.older]).toEqual(["abc", "0"]);
});
