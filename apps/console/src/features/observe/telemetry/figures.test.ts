import { expect, test } from "vitest";
import { type Bucket, cacheShare, chartsOf, hasFigures, percent } from "./figures.ts";
import { RANGES, rangeOf, sinceOf } from "./ranges.ts";

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
  const charts = chartsOf([quiet, bucket]);
  expect(charts.map(({ title }) => title)).toEqual(["Cost", "Tokens", "Time of a turn", "Cache hits", "Turns"]);
  expect(charts[0]?.lines[0]?.values).toEqual([null, null]);
  expect(charts[1]?.lines.map(({ values }) => values)).toEqual([
    [0, 200],
    [0, 20],
    [0, 50],
  ]);
  expect(charts[3]?.lines[0]?.values).toEqual([null, 0.25]);
});

test("a chart of unknown figures or of zeros alone has nothing to show", () => {
  const [cost, tokens] = chartsOf([bucket]);
  expect(cost && hasFigures(cost)).toBe(false);
  expect(tokens && hasFigures(tokens)).toBe(true);
  expect(chartsOf([quiet]).some(hasFigures)).toBe(false);
});

test("shares are whole percent, and unknown without input", () => {
  expect(percent(cacheShare(bucket))).toBe("25 %");
  expect(percent(cacheShare(quiet))).toBe("–");
});

test("every range fits into the buckets of one response, and an unknown name is the last day", () => {
  const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
  for (const { length, bucket: of } of RANGES) expect(length / lengths[of]).toBeLessThanOrEqual(1_500);
  expect(rangeOf("nonsense")).toEqual(rangeOf("24h"));
  expect(sinceOf(rangeOf("1h"), Date.parse("2026-11-21T12:00:00Z"))).toBe("2026-11-21T11:00:00.000Z");
});
