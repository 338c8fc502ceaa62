import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../clock/index.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { type CommittedEvent, foldEvents, type TaskEvent } from "../event/index.ts";
import { Telemetry } from "./telemetry.ts";
import { TelemetryReports } from "./telemetry-reports.ts";

const folder = mkdtempSync(join(tmpdir(), "reports-"));
const HOUR = 3_600_000;
/** An hour's start two days ago. */
const START = Math.floor(Date.now() / HOUR) * HOUR - 48 * HOUR;
let db: Database;
let reports: TelemetryReports;

interface Turn {
  readonly minute: number;
  readonly model: string;
  readonly ms: number;
  readonly costUsd?: number;
  readonly state?: "completed" | "failed" | "canceled";
  readonly tools?: readonly number[];
}

function turnOf(index: number, { minute, model, ms, costUsd, state = "completed", tools = [] }: Turn) {
  const usage = { input: 1000, output: 100, cacheRead: 250, cacheWrite: 0 };
  const base = { call: "model-1", step: 1, model };
  const cost = costUsd === undefined ? {} : { costUsd };
  const totals = { usage, durationMs: ms, ...cost };
  const events: TaskEvent[] = [
    {
      kind: "task.accepted",
      context: "=cmd",
      class: "operator",
      origin: "a2a",
      input: { messageId: "m", parts: [] },
      state: "running",
    },
    { kind: "model.finished", ...base, finish: "stop", usage, ms, ...cost },
    ...tools.map(
      (took): TaskEvent => ({
        kind: "tool.finished",
        call: "c",
        name: "fetch_url",
        outcome: "ok",
        result: "",
        ms: took,
      }),
    ),
    state === "failed"
      ? { kind: "task.failed", failure: { code: "x", message: "x" }, ...totals }
      : { kind: `task.${state}`, ...totals },
  ];
  const at = START + minute * 60_000;
  const committed: CommittedEvent[] = events.map((event, i) => ({ seq: i + 1, at, event }));
  return foldEvents(`task-${String(index).padStart(3, "0")}`, committed);
}

const TURNS: readonly Turn[] = [
  ...Array.from({ length: 100 }, (_, i): Turn => ({ minute: i, model: "priced", ms: i + 1, costUsd: 0.01 })),
  { minute: 121, model: "priced", ms: 60_000, costUsd: 1, tools: [10, 30, 20] },
  { minute: 122, model: "unheard-of", ms: 50, state: "failed" },
  { minute: 123, model: "unheard-of", ms: 50, state: "canceled" },
];

beforeAll(async () => {
  db = await openDatabase({
    threads: benchThreads,
    url: `file:${join(folder, "t.db")}`,
    owner: { name: "test" },
    schema: "observation",
  });
  const telemetry = new Telemetry({ db: async () => db, clock: systemClock() });
  for (const [index, turn] of TURNS.entries()) telemetry.replay(turnOf(index, turn));
  await telemetry.flush(undefined);
  reports = new TelemetryReports(async () => db);
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

test("a summary has sums, rates and percentiles by nearest rank, and the number of turns its cost leaves out", async () => {
  const summary = await reports.summary(0);
  expect(summary).toMatchObject({
    turns: 103,
    successes: 101,
    input_tokens: 103_000,
    total_tokens: 113_300,
    unpriced_turns: 2,
    cache_hit_ratio: 0.25,
    p50_duration_ms: 50,
    p95_duration_ms: 96,
    p99_duration_ms: 100,
    max_context_tokens: 1000,
    p95_context_tokens: 1000,
    by_tool: [{ tool: "fetch_url", calls: 3, p50_duration_ms: 20, p95_duration_ms: 30, p99_duration_ms: 30 }],
  });
  // A hundred times 0.01 is 1.0000000000000007 to a machine.
  expect(summary.cost_usd).toBe(2);
  expect(summary.success_rate).toBeCloseTo(101 / 103, 9);
  expect(summary.by_model.map(({ model, turns, cost_usd }) => [model, turns, cost_usd === null])).toEqual([
    ["priced", 101, false],
    ["unheard-of", 2, true],
  ]);
});

test("without turns nothing is divided by nothing", async () => {
  expect(await reports.summary(Date.now() + HOUR)).toMatchObject({
    turns: 0,
    cost_usd: null,
    avg_duration_ms: null,
    p50_duration_ms: null,
    success_rate: null,
    cache_hit_ratio: null,
    by_model: [],
  });
});

test("pages of turns go from the newest to the oldest, each once", async () => {
  const seen: string[] = [];
  for (let page = await reports.recent(40); ; page = await reports.recent(40, page.next)) {
    seen.push(...page.turns.map(({ task_id }) => task_id));
    if (page.next === undefined) break;
  }
  expect(seen).toEqual(TURNS.map((_, index) => `task-${String(index).padStart(3, "0")}`).reverse());
});

test("an export is CSV that no spreadsheet runs", async () => {
  const lines = (await Array.fromAsync(reports.csv(START + 121 * 60_000))).join("").trimEnd().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^task_id,session_id,.*,context_tokens$/);
  expect(lines[1]).toMatch(/^task-100,'=cmd,a2a,completed,1,priced,"\[\{/);
  expect(lines[1]).toContain('"{""fetch_url"":[10,30,20]}"');
  expect(lines[2]).toMatch(/^task-101,'=cmd,a2a,failed,0,unheard-of,/);
});

test("turns of five times the median cost or duration stand out", async () => {
  const insights = await reports.insights((model) => (model === "priced" ? 0.000_001 : undefined));
  expect(insights.flagged.map(({ task_id, reasons }) => [task_id, reasons])).toEqual([
    ["task-100", ["cost", "duration"]],
  ]);
  expect(insights).toMatchObject({ turns: 103, flagged_count: 1, unproven_levers: [] });
  expect(insights.levers.cache).toEqual({ hit_ratio: 0.25, read_tokens: 25_750, est_savings_usd: null });
});

test("a summary of a time leaves out what ended before and after it", async () => {
  const hour = await reports.summary(START + 20 * 60_000, START + 80 * 60_000);
  expect(hour).toMatchObject({ turns: 60, p50_duration_ms: 50 });
  expect(await reports.summary(0, START)).toMatchObject({ turns: 0, cost_usd: null });
});

test("a series has every bucket of its range, the empty ones too", async () => {
  const series = await reports.series({ since: START, until: START + 4 * HOUR, bucketMs: HOUR });
  expect(series.map(({ start, turns, failures, canceled }) => [start, turns, failures, canceled])).toEqual([
    [new Date(START).toISOString(), 60, 0, 0],
    [new Date(START + HOUR).toISOString(), 40, 0, 0],
    [new Date(START + 2 * HOUR).toISOString(), 3, 1, 1],
    [new Date(START + 3 * HOUR).toISOString(), 0, 0, 0],
  ]);
  expect(series.map(({ cost_usd }) => cost_usd === null)).toEqual([false, false, false, true]);
});
