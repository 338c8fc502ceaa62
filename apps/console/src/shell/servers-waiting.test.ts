import { expect, test } from "vitest";
import { serversWaiting } from "./servers-waiting.ts";

const quiet = { name: "docs", state: "ready", auth: "none", enabled: true, held_count: 0 };

test("nothing is said while no server waits, nor of one that is off", () => {
  expect(serversWaiting([quiet, { ...quiet, enabled: false, held_count: 2 }])).toBeUndefined();
});

test("one server leads to its page, several to the list", () => {
  const held = { ...quiet, held_count: 2 };
  expect(serversWaiting([held])).toEqual({
    text: "docs changed what it offers.",
    action: "Look at the changes",
    to: "/extensions/mcp/docs",
  });
  expect(serversWaiting([held, { ...quiet, name: "mail", state: "needs_auth" }])).toEqual({
    text: "docs changed what it offers. mail needs a sign-in.",
    action: "Look at the changes",
    to: "/extensions/mcp",
  });
});

test("more names than fit on a line are counted", () => {
  const many = ["a", "b", "c", "d", "e"].map((name) => ({ ...quiet, name, auth: "expired" }));
  expect(serversWaiting(many)).toMatchObject({ text: "a, b, c, 2 more need a sign-in.", action: "Sign in" });
});
