import { expect, test } from "vitest";
import { oneLine, problemAt } from "./config-problem.ts";

test("a finding is one line: where, which key, what", () => {
  const from = { layer: "file", file: "/c/agent-config.yaml", line: 3 } as const;
  expect(problemAt("wrong-value", from, "model.name", "expected text").message).toBe(
    "/c/agent-config.yaml:3: model.name: expected text",
  );
  expect(problemAt("syntax", from, "", "tabs").message).toBe("/c/agent-config.yaml:3: tabs");
  expect(problemAt("unknown-key", from, "a\nforged: line\u001b[31m", "unknown").message).not.toMatch(/\p{Cc}/u);
});

test("text from outside is cut to its limit", () => {
  expect(oneLine("x".repeat(300), 10)).toBe("xxxxxxxxx…");
});
