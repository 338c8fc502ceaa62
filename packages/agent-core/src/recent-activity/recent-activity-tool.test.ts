/** What the agent reads of what it did (K30). */
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import * as v from "valibot";
import { expect, it } from "vitest";
import type { ActivityEntry } from "../activity/index.ts";
import type { TurnSummary } from "../telemetry/index.ts";
import { recentActivityTool } from "./recent-activity-tool.ts";

const NOW = Date.parse("2026-07-08T00:00:00Z");
const HOUR = 3_600_000;
const percentiles = { p50_duration_ms: 1, p95_duration_ms: 1, p99_duration_ms: 1 };
const summary: TurnSummary = {
  ...percentiles,
  ...{ turns: 5, successes: 3, input_tokens: 1, output_tokens: 1, total_tokens: 2, cache_read_input_tokens: 0 },
  ...{ cache_creation_input_tokens: 0, cost_usd: 0.25, unpriced_turns: 0, llm_calls: 9, tool_calls: 4 },
  ...{ avg_duration_ms: 1, success_rate: 0.6, cache_hit_ratio: null, max_context_tokens: 1, p95_context_tokens: 1 },
  by_model: [{ ...percentiles, model: "m", turns: 5, failures: 2, cost_usd: 0.25, total_tokens: 2 }],
  by_tool: [{ ...percentiles, tool: "fetch_url", calls: 4 }],
};

const entry = (hoursAgo: number, more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  ...{
    task: "t",
    createdAt: NOW - hoursAgo * HOUR,
    context: "system:activity",
    origin: "background",
    trigger: undefined,
  },
  ...{ priority: undefined, state: "completed", stimulus: "Water\nthe ferns", text: "Done.", ...more },
});

async function asked(args: object, entries: readonly ActivityEntry[], more: Parameters<typeof fakeContext>[0] = {}) {
  const limits: number[] = [];
  const since: number[] = [];
  const tool = recentActivityTool({
    failures: async () => [{ tool: "fetch_url", failures: 1 }],
    feed: {
      async list(limit) {
        limits.push(limit);
        return entries.slice(0, limit);
      },
    },
    reports: {
      async summary(at) {
        since.push(at);
        return summary;
      },
    },
  });
  const context = fakeContext({ now: () => new Date(NOW), ...more });
  const result = (await tool.run(v.parse(tool.input, args), context)) as string;
  return { result, limits, since };
}

it("has a line of each turn in its time, and the numbers of all", async () => {
  const { result, since } = await asked({ window_hours: 24 }, [entry(1), entry(25)]);
  expect(result.split("\n")).toEqual([
    "[2026-07-07 23:00 · background · completed] Water the ferns → Done.",
    "All turns of 24 hours: 5, 2 of them failed or canceled; 9 calls of models, 4 of tools, $0.25.",
    "By model: m 5 turns, 2 failed, $0.25.",
    "Calls by tool: fetch_url 4.",
    "Failed calls by tool: fetch_url 1.",
  ]);
  expect(since).toEqual([NOW - 24 * HOUR]);
});

it.each([
  [{ limit: 0, window_hours: 0 }, 1, 1],
  [{ limit: 999, window_hours: 1e9 }, 200, 8_760],
  [{}, 30, 168],
])("clamps %j", async (args, limit, hours) => {
  const { limits, since } = await asked(args, []);
  expect([limits, since]).toEqual([[limit], [NOW - hours * HOUR]]);
});

it("says what may come from outside, and nothing in an incognito conversation", async () => {
  const inbox = entry(1, { origin: "inbox", trigger: "inbox:12", text: "x".repeat(500) });
  const { result } = await asked({}, [inbox]);
  expect(result).toMatch(/^What stands between the two lines/);
  expect(result).toContain("inbox:12");
  expect(result.length).toBeLessThan(900);
  expect((await asked({}, [inbox], { caller: { incognito: true } })).result).toBe("This conversation keeps no memory.");
  expect((await asked({}, [])).result).toMatch(/^Nothing by yourself in 168 hours\./);
});
