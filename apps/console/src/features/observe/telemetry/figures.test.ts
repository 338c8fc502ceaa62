import { expect, test } from "vitest";
import { type Bucket, cacheShare, changeOf, chartsOf, hasFigures, percent } from "./figures.ts";
import { BUCKETS, datesOf, RANGES, spanOf } from "./ranges.ts";

const bucket: Bucket = {
  ...{ start: "2026-11-21T12:00:00.000Z", turns: 2, successes: 2, failures: 0, canceled: 0, input_tokens: 200 },
  ...{ output_tokens: 20, cache_read_input_tokens: 50, cost_usd: null, llm_calls: 2, tool_calls: 0 },
  ...{ avg_duration_ms: 40, p50_duration_ms: 30, p95_duration_ms: 60, max_duration_ms: 60 },
};
const quiet: Bucket = {
  ...{ ...bucket, turns: 0, input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 },
  ...{ avg_duration_ms: null, p50_duration_ms: null, p95_duration_ms: null, max_duration_ms: null },
};

test("each chart has a value for each bucket, and an unknown value is not zero", () => {
  const charts = chartsOf([quiet, bucket], [bucket]);
  expect(charts.map(({ title }) => title)).toEqual(["Cost", "Turns", "Duration", "Tokens", "Cache hits"]);
  expect(charts[0]?.lines[0]?.values).toEqual([null, null]);
  expect(charts[3]?.lines.map(({ values }) => values)).toEqual([
    [0, 200],
    [0, 20],
    [0, 50],
    [200, null],
  ]);
  expect(charts[2]?.lines.map(({ label }) => label)).toEqual(["Median", "95th percentile", "The time before"]);
  expect(charts[4]?.lines[0]?.values).toEqual([null, 0.25]);
});

test("a chart of unknown figures or of zeros alone has nothing to show", () => {
  const [cost, turns] = chartsOf([bucket], []);
  expect(cost && hasFigures(cost)).toBe(false);
  expect(turns && hasFigures(turns)).toBe(true);
  expect(chartsOf([quiet], [bucket]).some(hasFigures)).toBe(false);
});

test("shares are whole percent, and unknown without input", () => {
  expect(percent(cacheShare(bucket))).toBe("25 %");
  expect(percent(cacheShare(quiet))).toBe("–");
});

test("a change is given in whole percent, and not at all where there was nothing before", () => {
  expect([changeOf(12, 10), changeOf(5, 10), changeOf(10, 10)]).toEqual(["+20 %", "−50 %", "the same"]);
  expect([changeOf(1, 0), changeOf(1, null), changeOf(null, 1)]).toEqual([undefined, undefined, undefined]);
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test("every range is whole buckets of one response, with a time before it that is as long as what has passed", () => {
  const now = Date.parse("2026-11-21T12:20:00Z");
  for (const { value, length, bucket: of } of RANGES) {
    const span = spanOf({ range: value }, now);
    expect(span.until - span.since).toBe(length);
    expect(length / BUCKETS[of]).toBeLessThanOrEqual(1_500);
    expect([span.since % BUCKETS[of], span.until >= now]).toEqual([0, true]);
    expect(span.before).toEqual({ since: span.since - length, until: now - length });
  }
  expect(spanOf({ range: "nonsense" }, now)).toEqual(spanOf({ range: "24h" }, now));
});

test("dates are whole days of the person's zone, the last one included; what is no date is no choice", () => {
  const dates = datesOf({ from: "2026-11-01", to: "2026-11-10" });
  expect(dates && (dates.until - dates.since) / DAY).toBeCloseTo(10, 0);
  expect(spanOf({ from: "2026-11-01", to: "2026-11-10" }, Date.now()).bucket).toBe("day");
  expect(spanOf({ from: "2026-11-01", to: "2026-11-02" }, Date.now()).bucket).toBe("hour");
  const long = datesOf({ from: "1999-01-01", to: "2026-11-10" });
  expect(long && (long.until - long.since) / DAY).toBeLessThanOrEqual(366);
  for (const none of [
    { from: "2026-11-02", to: "2026-11-01" },
    { from: "then", to: "2026-11-01" },
    { from: "2026-11-01" },
  ])
    expect(datesOf(none)).toBeUndefined();
});
