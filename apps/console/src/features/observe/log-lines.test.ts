import { expect, test } from "vitest";
import { fieldsText, type LogLine, matchingLines } from "./log-lines.ts";

const line = (level: LogLine["level"], message: string, fields: LogLine["fields"] = {}): LogLine => ({
  ...{ time: "2026-11-21T12:00:00Z", level, message, fields },
});
const lines = [
  line("DEBUG", "asked", { task: "t-1" }),
  line("INFO", "listening", { port: 7870 }),
  line("WARNING", "slow", { task: "t-2" }),
  line("ERROR", "failed", { task: "t-2", error: { code: "x" } }),
];

test("a level shows itself and what is graver", () => {
  expect(matchingLines(lines, "WARNING", "").map(({ message }) => message)).toEqual(["slow", "failed"]);
  expect(matchingLines(lines, "DEBUG", "")).toHaveLength(4);
});

test("every term of a search is somewhere in the line, in the message or a field", () => {
  expect(matchingLines(lines, "DEBUG", "T-2 fail").map(({ message }) => message)).toEqual(["failed"]);
  expect(matchingLines(lines, "INFO", "t-1")).toEqual([]);
});

test("what was logged beside a message is one line", () => {
  expect(fieldsText({ task: "t-2", ms: 3, error: { code: "x" } })).toBe('task=t-2 ms=3 error={"code":"x"}');
});
