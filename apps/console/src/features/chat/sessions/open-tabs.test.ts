import { expect, test } from "vitest";
import { MOST_TABS, readTabs, withoutTab, withTab } from "./open-tabs.ts";

const tab = (session: string, title = session) => ({ session, title });

test("tabs keep their order, take their title along, and the oldest goes when there are too many", () => {
  const two = withTab(withTab([], tab("a")), tab("b"));
  expect(withTab(two, tab("a", "A"))).toEqual([tab("a", "A"), tab("b")]);
  expect(withTab(two, tab("b"))).toBe(two);
  const many = Array.from({ length: MOST_TABS + 2 }, (_, no) => tab(`${no}`)).reduce(
    withTab,
    [] as readonly ReturnType<typeof tab>[],
  );
  expect(many.map(({ session }) => session)).toEqual(["2", "3", "4", "5", "6", "7", "8", "9"]);
});

test("closing one leads to the one beside it", () => {
  const tabs = [tab("a"), tab("b"), tab("c")];
  expect(withoutTab(tabs, "b")).toEqual({ tabs: [tab("a"), tab("c")], beside: tab("c") });
  expect(withoutTab(tabs, "c").beside).toEqual(tab("b"));
  expect(withoutTab([tab("a")], "a")).toEqual({ tabs: [], beside: undefined });
  expect(withoutTab(tabs, "x")).toEqual({ tabs, beside: undefined });
});

test("what the browser kept is read with care", () => {
  for (const kept of [undefined, "", "{", "3", '[1, null, {"session": 3}]']) expect(readTabs(kept)).toEqual([]);
  expect(readTabs('[{"session":"a","title":"A"}]')).toEqual([tab("a", "A")]);
});
