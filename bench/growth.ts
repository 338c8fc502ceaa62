/**
 * Measures what a store costs that has grown: a summary of a million turns, and a sweep among 100,000 ended tasks. Prints a
 * table and holds the bounds of `docs/performance.md`.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_RETENTION, openDatabase, removeExpired, TelemetryReports } from "@agent-service/agent-core/host";
import { calibrate, calibrationLine } from "./calibration.ts";

const TURNS = 1_000_000;
const TASKS = 100_000;
const DAY = 86_400_000;
const RUNS = 20;

const folder = mkdtempSync(join(tmpdir(), "growth-"));
const calibration = await calibrate();
console.log(`${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores\n${calibrationLine(calibration)}\n`);

function count(to: number): string {
  return `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
}

async function times(run: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const from = performance.now();
    await run();
    taken.push(performance.now() - from);
  }
  return taken.sort((a, b) => a - b);
}

const results: { readonly what: string; readonly ms: number; readonly bound: number }[] = [];

async function summaries(): Promise<void> {
  const db = await openDatabase({ url: `file:${folder}/t.db`, owner: { name: "bench" }, schema: "observation" });
  const start = Math.floor(Date.now() / DAY) * DAY - 89 * DAY;
  const fill = `${count(TURNS)} INSERT INTO turn SELECT printf('task-%08d', i), 9, 'operator', 'c' || (i % 5000), 'a2a',
iif(i % 20 = 0, 'failed', 'completed'), i % 20 <> 0, 'model-' || (i % 3), '[]', i % 40000, i % 900, i % 20000, 0,
i * 0.00001, 200 + (i * 7919) % 60000, 1 + i % 5, 2, json_object('tool-' || (i % 8), json_array(i % 3000, (i * 31) % 9000)),
i % 40000, ${start} + i * ${89 * DAY} / ${TURNS} - 5000, ${start} + i * ${89 * DAY} / ${TURNS}, NULL, NULL FROM n`;
  const inserts = ["0002_turn_totals", "0004_turn_total_mark"].flatMap((name) =>
    readFileSync(new URL(`../packages/agent-core/migrations/observation/${name}.sql`, import.meta.url), "utf8")
      .split(/;\n/)
      .filter((text) => /^INSERT/m.test(text)),
  );
  inserts.unshift("DELETE FROM cursor");
  await db.commit({ label: "fill", statements: [{ sql: fill, args: [] }] });
  const from = performance.now();
  await db.commit({ label: "fill", statements: inserts.map((sql) => ({ sql, args: [] })) });
  console.log(`${TURNS} turns are added up in ${Math.round(performance.now() - from)} ms, once, by the migration`);
  const reports = new TelemetryReports(async () => db);
  for (const [what, since, bound] of [
    ["summary of all turns", 0, 50],
    ["summary of 30 days, from the middle of an hour", Date.now() - 30 * DAY - 1_234_567, Number.POSITIVE_INFINITY],
    ["summary of 24 hours", Date.now() - DAY, Number.POSITIVE_INFINITY],
  ] as const) {
    const taken = await times(() => reports.summary(since));
    results.push({ what, ms: taken[Math.floor(RUNS / 2)] ?? 0, bound });
  }
  await db.close();
}

async function sweeps(): Promise<void> {
  const db = await openDatabase({ url: `file:${folder}/a.db`, owner: { name: "bench" } });
  const at = Date.now() - 20 * DAY;
  const ended = `'{"kind":"task.completed","usage":{"input":1,"output":1,"cacheRead":0,"cacheWrite":0},"durationMs":1}'`;
  const fills = [
    `${count(TASKS)} INSERT INTO task SELECT printf('%08d', i), 'operator', 'c' || (i % 1000), 'a2a', 'completed', 2, ${at} + i, ${at} + i, '{}', NULL FROM n`,
    `${count(TASKS)} INSERT INTO event SELECT printf('%08d', i), 1, ${at}, 'task.accepted', '{"kind":"task.accepted","class":"operator","context":"c","origin":"a2a","input":{"messageId":"m","parts":[]},"state":"running"}' FROM n`,
    `${count(TASKS)} INSERT INTO event SELECT printf('%08d', i), 2, ${at}, 'task.completed', ${ended} FROM n`,
    `${count(TASKS)} INSERT INTO message SELECT i, 'operator', 'c' || (i % 1000), printf('%08d', i), 'user', '{"content":[]}', ${at} FROM n`,
  ];
  await db.commit({ label: "fill", statements: fills.map((sql) => ({ sql, args: [] })) });
  const sweep = () =>
    removeExpired({ db, now: Date.now(), keep: DEFAULT_RETENTION, removeSession: () => Promise.resolve() });
  const from = performance.now();
  await sweep();
  console.log(`the first sweep of ${TASKS} ended tasks took ${Math.round(performance.now() - from)} ms`);
  const taken = await times(sweep);
  results.push({ what: `sweep among ${TASKS} ended tasks, none due`, ms: taken[Math.floor(RUNS / 2)] ?? 0, bound: 20 });
  await db.close();
}

try {
  await summaries();
  await sweeps();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const { what, ms, bound } of results) {
  const most = bound * Math.max(1, calibration.factor);
  const held = ms <= most;
  console.log(
    `${what}: ${ms.toFixed(1)} ms${Number.isFinite(bound) ? ` (at most ${most.toFixed(0)})` : ""}${held ? "" : "  EXCEEDED"}`,
  );
  if (!held) process.exitCode = 1;
}
