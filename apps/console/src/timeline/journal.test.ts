import { expect, test } from "vitest";
import { taskTitle } from "./journal.ts";

test("a task is called by the first line of what it was told, an inbox item by its own", () => {
  const titles = ["\n Do this\nand that", " "].map((input) => taskTitle({ input, origin: "chat" }));
  expect(titles).toEqual(["Do this", "Task"]);
  const input = "[Inbox item 3, priority now, from monitor]\nDisk at 95 %.\nMore";
  expect([taskTitle({ input, origin: "inbox" }), taskTitle({ input, origin: "chat" })]).toEqual([
    "Disk at 95 %.",
    "[Inbox item 3, priority now, from monitor]",
  ]);
});
