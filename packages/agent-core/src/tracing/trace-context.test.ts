import { expect, test } from "vitest";
import { parseTraceparent, spanIdOf, traceIdOf, traceparentOf } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [` 00-${TRACE}-${SPAN}-00 `, true],
  [`01-${TRACE}-${SPAN}-01-more`, true],
  [`ff-${TRACE}-${SPAN}-01`, false],
  [`00-${"0".repeat(32)}-${SPAN}-01`, false],
  [`00-${TRACE}-${"0".repeat(16)}-01`, false],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, false],
  ["", false],
  [undefined, false],
])("traceparent %s is taken: %s", (header, taken) => {
  expect(parseTraceparent(header)).toEqual(taken ? { traceId: TRACE, spanId: SPAN } : undefined);
});

test("a task is in its caller's trace, else in one of its own; its spans are the same whenever they are asked for", () => {
  const task = "019a0000-0000-7000-8000-000000000001";
  expect(traceIdOf(task, `00-${TRACE}-${SPAN}-01`)).toBe(TRACE);
  expect(traceIdOf(task, undefined)).toBe("019a0000000070008000000000000001");
  expect(traceIdOf("no uuid", undefined)).toMatch(/^[0-9a-f]{32}$/);
  expect(traceparentOf(task, "model-1", undefined)).toBe(
    `00-${traceIdOf(task, undefined)}-${spanIdOf(task, "model-1")}-01`,
  );
  expect(spanIdOf(task, "model-1")).not.toBe(spanIdOf(task));
});
