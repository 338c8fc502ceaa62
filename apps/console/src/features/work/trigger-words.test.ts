import { expect, test } from "vitest";
import { triggerWords } from "./trigger-words.ts";

test("what started a turn is told in words, and what has no word as it is", () => {
  expect(triggerWords({ origin: "inbox", trigger: "inbox:12" })).toBe("The inbox, item 12");
  expect(triggerWords({ origin: "operator", trigger: null })).toBe("You");
  expect(triggerWords({ origin: "background", trigger: "bg-1" })).toBe("A background job's report, bg-1");
  expect(triggerWords({ origin: "moon", trigger: "moon" })).toBe("moon");
});
