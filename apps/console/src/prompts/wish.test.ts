import { expect, test } from "vitest";
import { wish } from "./wish.ts";

test("a tool's question is said as what the agent wants", () => {
  expect(wish("Ada", "Calculate 19.99 * 3?")).toBe("Ada wants to calculate 19.99 * 3.");
  expect(wish(undefined, "Run send_mail?")).toBe("The agent wants to run send_mail.");
});
