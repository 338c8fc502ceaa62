import { expect, test } from "vitest";
import { triggerLabel } from "./trigger-label.ts";

test("what started a turn has a label, and an unknown trigger is shown as it is", () => {
  expect(triggerLabel({ origin: "inbox", trigger: "inbox:12" })).toBe("The inbox, item 12");
  expect(triggerLabel({ origin: "operator", trigger: null })).toBe("You");
  expect(triggerLabel({ origin: "background", trigger: "bg-1" })).toBe("A background job's report, bg-1");
  expect(triggerLabel({ origin: "scheduler", trigger: "scheduler:morning" })).toBe("A schedule, morning");
  expect(triggerLabel({ origin: "watch", trigger: "watch:a:b" })).toBe("A watch, a:b");
  expect(triggerLabel({ origin: "goal", trigger: "goal:01a222c6" })).toBe("A goal");
  expect(triggerLabel({ origin: "a2a", trigger: "scheduler:morning" })).toBe("Another agent, scheduler:morning");
  expect(triggerLabel({ origin: "moon", trigger: "moon" })).toBe("moon");
});
