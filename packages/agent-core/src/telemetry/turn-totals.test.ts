import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../database/index.ts";
import { benchThreads } from "../database-bench.ts";
import { type CommittedEvent, foldEvents, type TaskEvent, type TaskView } from "../event/index.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { Telemetry } from "./telemetry.ts";
import { TelemetryReports } from "./telemetry-reports.ts";
import { BUCKETS, rangeSince, TOTALS } from "./turn-totals.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 10);
const folder = mkdtempSync(join(tmpdir(), "totals-"));
const open: Database[] = [];
let files = 0;
afterEach(async () => {
  for (const db of open.splice(0)) await db.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function store(addedUpTogether = 1) {
  const db = await openDatabase({
    threads: benchThreads,
    ...{ url: `file:${join(folder, `${files++}.db`)}`, owner: { name: "test" }, schema: "observation" },
  });
  open.push(db);
  const clock = manualClock(START + 10 * DAY);
  return {
    db,
    clock,
    telemetry: new Telemetry({ db: async () => db, clock, addedUpTogether }),
    reports: new TelemetryReports(async () => db),
  };
}

interface Turn {
  readonly id: number;
  readonly at: number;
  readonly model: string;
  readonly ms: number;
  readonly cost?: number | undefined;
  readonly end: "completed" | "failed" | "parked";
  readonly tools: readonly number[];
  /** The service's own work, which is no turn (TT4). */
  readonly own?: boolean;
}

function viewOf({ id, at, model, ms, cost, end, tools, own }: Turn): TaskView {
  const usage = { input: ms + 7, output: 3, cacheRead: 2, cacheWrite: 1 };
  const totals = { usage, durationMs: ms, ...(cost !== undefined && { costUsd: cost }) };
  const input = { messageId: "m", parts: [] };
  const events: TaskEvent[] = [
    {
      ...({ kind: "task.accepted", context: "c", class: "operator", input, state: "running" } as const),
      origin: own === true ? "auxiliary" : "a2a",
    },
    {
      kind: "model.finished",
      call: "m",
      step: 1,
      model,
      finish: "stop",
      usage,
      ms,
      ...(cost !== undefined && { costUsd: cost }),
    },
    ...tools.map(
      (took): TaskEvent => ({
        kind: "tool.finished",
        call: "t",
        name: `tool-${took % 3}`,
        outcome: "ok",
        result: "",
        ms: took,
      }),
    ),
  ];
  if (end === "parked") events.push({ kind: "task.parked", prompts: [] });
  else if (end === "failed") events.push({ kind: "task.failed", failure: { code: "x", message: "x" }, ...totals });
  else events.push({ kind: "task.completed", ...totals });
  // A turn parks before it ends.
  const first = end === "parked" ? 1 : 100;
  return foldEvents(
    `task-${id}`,
    events.map((event, i): CommittedEvent => ({ seq: first + i, at, event })),
  );
}

/** The value at the rank, from all of them. */
function exact(values: readonly number[], percent: number): number | null {
  return values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil((values.length * percent) / 100)) - 1] ?? null;
}

const turns = fc.record({
  id: fc.nat({ max: 30 }),
  at: fc.integer({ min: START, max: START + 3 * DAY }),
  model: fc.constantFrom("", "a", "b"),
  ms: fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 5_000_000 })),
  cost: fc.option(fc.nat({ max: 1_000 }), { nil: undefined }),
  end: fc.constantFrom("completed" as const, "failed" as const, "parked" as const),
  tools: fc.array(fc.nat({ max: 100_000 }), { maxLength: 3 }),
  own: fc.boolean(),
});

describe("totals of turns", () => {
  test("equals the sum of their rows, since any time, however often and in whatever portions they were written", async () => {
    const { db, clock, reports } = await store();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(turns, { maxLength: 12 }), { maxLength: 4 }),
        fc.nat({ max: 4 * DAY }),
        fc.constantFrom(1, 5, 1_000),
        async (portions, later, addedUpTogether) => {
          const tables = ["turn", "turn_total", "turn_bucket"];
          const statements = tables.map((table) => ({ sql: `DELETE FROM ${table}`, args: [] }));
          statements.push({ sql: "UPDATE cursor SET at = 0 WHERE reader = 'turn_total'", args: [] });
          await db.commit({ label: "test", statements });
          const telemetry = new Telemetry({ db: async () => db, clock, addedUpTogether });
          const last = new Map<number, Turn>();
          for (const portion of portions) {
            for (const one of portion) {
              // A turn that ended stays unchanged.
              const known = last.get(one.id);
              const kept = known === undefined || known.end === "parked" ? one : known;
              last.set(one.id, kept);
              telemetry.replay(viewOf(kept));
            }
            await telemetry.flush(undefined);
            const [mark, counted, stored] = (
              await db.read({
                sql: `SELECT at, (SELECT coalesce(sum(turns), 0) FROM turn_total WHERE level = 0),
(SELECT count(*) FROM turn WHERE success IS NOT NULL AND ended_at < at AND origin <> 'auxiliary') FROM cursor WHERE reader = 'turn_total'`,
                args: [],
              })
            )[0]!;
            expect(counted).toBe(stored);
            if (addedUpTogether === 1_000) expect(mark).toBe(0);
          }
          for (const [since, until] of [
            [0],
            [START + later],
            [0, START + DAY + later / 4],
            [START + later / 4, START + later],
          ]) {
            const before = until ?? Number.MAX_SAFE_INTEGER;
            const rows = (
              await db.read({
                sql: "SELECT model, duration_ms, context_tokens, success, input, cost_usd, tool_durations, origin FROM turn WHERE ended_at >= ? AND ended_at < ?",
                args: [since ?? 0, before],
              })
            ).map(([model, ms, context, success, input, cost, tools, origin]) => ({
              model,
              isTurn: origin !== "auxiliary",
              ms: Number(ms),
              context: Number(context),
              success,
              input: Number(input),
              cost,
              tools: Object.values(JSON.parse(String(tools)) as Record<string, number[]>).flat(),
            }));
            const counted = rows.filter(({ isTurn }) => isTurn);
            const summary = await reports.summary(since ?? 0, until);
            expect(summary).toMatchObject({
              turns: counted.length,
              successes: counted.filter(({ success }) => success === 1).length,
              input_tokens: rows.reduce((sum, { input }) => sum + input, 0),
              max_context_tokens: Math.max(0, ...counted.map(({ context }) => context)),
              cost_usd: rows.every(({ cost }) => cost === null)
                ? null
                : rows.reduce((sum, { cost }) => sum + Number(cost ?? 0), 0),
            });
            const durations = counted.map(({ ms }) => ms);
            const reported = [summary.p50_duration_ms, summary.p95_duration_ms, summary.p99_duration_ms];
            for (const [i, percent] of [50, 95, 99].entries()) {
              const value = exact(durations, percent);
              if (value === null) expect(reported[i]).toBeNull();
              else expect(value - Number(reported[i])).toSatisfy((less: number) => less >= 0 && less <= value / 64);
            }
            expect(summary.by_model.reduce((sum, { turns }) => sum + turns, 0)).toBe(
              counted.filter(({ model }) => model !== "").length,
            );
            expect(summary.by_tool.reduce((sum, { calls }) => sum + calls, 0)).toBe(
              rows.flatMap(({ tools }) => tools).length,
            );
          }
          for (const bucketMs of [HOUR, DAY]) {
            const series = await reports.series({ since: START, until: START + 4 * DAY, bucketMs });
            const rows = await db.read({
              sql: "SELECT ended_at, duration_ms, state, input, origin FROM turn",
              args: [],
            });
            for (const [index, bucket] of series.entries()) {
              const own = rows.filter(([at]) => Math.floor((Number(at) - START) / bucketMs) === index);
              const counted = own.filter(([, , , , origin]) => origin !== "auxiliary");
              const durations = counted.map(([, ms]) => Number(ms));
              expect(bucket).toMatchObject({
                turns: counted.length,
                failures: counted.filter(([, , state]) => state === "failed").length,
                input_tokens: own.reduce((sum, [, , , input]) => sum + Number(input), 0),
              });
              for (const [percent, reported] of [
                [50, bucket.p50_duration_ms],
                [95, bucket.p95_duration_ms],
                [100, bucket.max_duration_ms],
              ] as const) {
                const value = exact(durations, percent);
                if (value === null) expect(reported).toBeNull();
                else expect(value - Number(reported)).toSatisfy((less: number) => less >= 0 && less <= value / 64);
              }
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test("is read without a row of a turn that is added up, without `since`; since a time, with those of one hour", async () => {
    const { db, telemetry, reports } = await store(200);
    for (let id = 0; id < 200; id++)
      telemetry.replay(viewOf({ id, at: START + id * HOUR, model: "a", ms: id, end: "completed", tools: [1] }));
    // These are not added up yet.
    for (let id = 200; id < 240; id++)
      telemetry.replay(viewOf({ id, at: START + 10 * DAY, model: "new", ms: id, end: "completed", tools: [] }));
    await telemetry.flush(undefined);
    expect((await reports.summary(0)).by_model.map(({ model, turns }) => [model, turns])).toEqual([
      ["a", 200],
      ["new", 40],
    ]);
    await db.commit({ label: "test", statements: [{ sql: "DELETE FROM turn WHERE model = 'new'", args: [] }] });
    // Whatever reads a row reads this lie.
    await db.commit({ label: "test", statements: [{ sql: "UPDATE turn SET model = 'from a row'", args: [] }] });
    expect((await reports.summary(0)).by_model).toMatchObject([{ model: "a", turns: 200 }]);
    const since = START + 50 * HOUR - 1;
    expect((await reports.summary(since)).by_model).toMatchObject([{ model: "a", turns: 150 }]);
    expect((await reports.summary(since - HOUR + 1)).by_model).toMatchObject([{ model: "a", turns: 151 }]);
    const within = await reports.summary(since - HOUR / 2 + 1 - HOUR / 2);
    expect(within.turns).toBe(151);
    expect((await reports.summary(START + 49 * HOUR - 5)).by_model).toMatchObject([{ model: "a", turns: 151 }]);
    await db.commit({ label: "test", statements: [{ sql: "UPDATE turn SET ended_at = ended_at + 10", args: [] }] });
    expect((await reports.summary(START + 49 * HOUR + 5)).by_model).toMatchObject([
      { model: "a", turns: 150 },
      { model: "from a row", turns: 1 },
    ]);
    for (const { sql, names } of [TOTALS, BUCKETS]) {
      const range = rangeSince(since);
      const args = names.map((name) => range[name as keyof typeof range]);
      const plan = (await db.read({ sql: `EXPLAIN QUERY PLAN ${sql}`, args })).map((row) => String(row[3]));
      expect(plan.filter((step) => /^SCAN (?:turn|turn_total|turn_bucket)\b/.test(step))).toEqual([]);
    }
  });

  test("of an older store is added up when it is opened first", async () => {
    const { db, telemetry, reports } = await store(1_000);
    for (const [id, one] of fc.sample(turns, { numRuns: 60, seed: 7 }).entries())
      telemetry.replay(viewOf({ ...one, id, own: false }));
    await telemetry.flush(undefined);
    const since = [0, START + DAY + 5];
    const before = await Promise.all(since.map((at) => reports.summary(at)));
    const inserts = ["0002_turn_totals", "0004_turn_total_mark"].flatMap((name) =>
      readFileSync(new URL(`../../migrations/observation/${name}.sql`, import.meta.url), "utf8")
        .split(/;\n/)
        .filter((text) => /^INSERT/m.test(text)),
    );
    const emptied = ["turn_total", "turn_bucket", "cursor"].map((table) => `DELETE FROM ${table}`);
    const statements = [...emptied, ...inserts].map((sql) => ({ sql, args: [] }));
    await db.commit({ label: "test", statements });
    expect(inserts).toHaveLength(3);
    expect(await Promise.all(since.map((at) => reports.summary(at)))).toEqual(before);
  });

  test("holds a turn once that is written after later ones were added up, and written again", async () => {
    const { db, telemetry, reports } = await store();
    const turn = (id: number, day: number): TaskView =>
      viewOf({ id, at: START + day * DAY, model: "a", ms: id, end: "completed", tools: [] });
    telemetry.replay(turn(1, 2));
    telemetry.replay(turn(2, 3));
    await telemetry.flush(undefined);
    for (let i = 0; i < 2; i++) {
      telemetry.replay(turn(3, 1));
      telemetry.replay(turn(1, 2));
      await telemetry.flush(undefined);
      expect(await reports.summary(0)).toMatchObject({ turns: 3, p99_duration_ms: 3 });
    }
    const [[level0] = []] = await db.read({ sql: "SELECT turns FROM turn_total WHERE level = 0", args: [] });
    expect(level0).toBe(2);
  });

  test("is deleted after 90 days, whole days at a time, rows and sums alike", async () => {
    const { db, clock, telemetry, reports } = await store();
    for (const [id, day] of [0, 0, 1, 9].entries())
      telemetry.replay(viewOf({ id, at: START + day * DAY + id, model: "a", ms: id, end: "completed", tools: [] }));
    await telemetry.flush(undefined);
    await clock.advance(81 * DAY - 1);
    await telemetry.flush(undefined);
    expect(await reports.summary(0)).toMatchObject({ turns: 4 });
    await clock.advance(HOUR);
    await telemetry.flush(undefined);
    expect(await reports.summary(0)).toMatchObject({ turns: 2, p50_duration_ms: 2 });
    expect(await reports.summary(1)).toMatchObject({ turns: 2, p50_duration_ms: 2 });
    expect(await db.read({ sql: "SELECT count(*) FROM turn", args: [] })).toEqual([[2]]);
  });
});
