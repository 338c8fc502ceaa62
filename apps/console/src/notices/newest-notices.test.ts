import { expect, test } from "vitest";
import { type ShownNotice, withNotice } from "./newest-notices.ts";

const notice = (key: number, text: string, tone: ShownNotice["tone"] = "plain"): ShownNotice => ({ key, text, tone });

test("the same notice is shown once, and the oldest goes when there are too many, but not what waits for a person", () => {
  let shown: readonly ShownNotice[] = [];
  for (const next of [notice(1, "waits", "waiting"), notice(2, "a"), notice(3, "a"), notice(4, "b"), notice(5, "c")]) {
    shown = withNotice(shown, next);
  }
  expect(shown.map(({ key }) => key)).toEqual([1, 3, 4, 5]);
  expect(withNotice(shown, notice(6, "d")).map(({ key }) => key)).toEqual([1, 4, 5, 6]);
});
