import { expect, test } from "vitest";
import { beginOf, fieldsText, type LogFilter, type LogLine, matchingLines, RANGES, taskOf } from "./log-lines.ts";

const line = (level: LogLine["level"], message: string, fields: LogLine["fields"] = {}): LogLine => ({
  ...{ time: "2026-11-21T12:00:00Z", level, message, fields },
});
const lines = [
  line("DEBUG", "asked", { task: "t-1" }),
  line("INFO", "listening", { port: 7870 }),
  line("WARNING", "slow", { task: "t-2" }),
  line("ERROR", "failed", { task: "t-2", error: { code: "x" } }),
];

const all: LogFilter = { level: "DEBUG", search: "", since: Number.NEGATIVE_INFINITY };

test("a level shows itself and what is graver", () => {
  expect(matchingLines(lines, { ...all, level: "WARNING" }).map(({ message }) => message)).toEqual(["slow", "failed"]);
  expect(matchingLines(lines, all)).toHaveLength(4);
});

test("every term of a search is somewhere in the line, in the message or a field", () => {
  expect(matchingLines(lines, { ...all, search: "T-2 fail" }).map(({ message }) => message)).toEqual(["failed"]);
  expect(matchingLines(lines, { ...all, level: "INFO", search: "t-1" })).toEqual([]);
});

test("what was logged beside a message is one line", () => {
  expect(fieldsText({ task: "t-2", ms: 3, error: { code: "x" } })).toBe('task=t-2 ms=3 error={"code":"x"}');
});

test("a range shows the lines since its begin", () => {
  const now = Date.parse("2026-11-21T12:05:01Z");
  const shown = RANGES.map((range) => matchingLines(lines, { ...all, since: beginOf(range, now) }).length);
  expect(shown).toEqual([4, 0, 4, 4, 4]);
});

test("a line is about a run where it names one", () => {
  expect(
    [{ task: "t-1" }, { task: ["t-1"] }, { task: "" }, {}].map((fields) => taskOf(line("INFO", "m", fields))),
  ).toEqual(["t-1", undefined, undefined, undefined]);
});
