/** A service with a full ledger: how long it takes to start, and to show the first pages. */
import { openDatabase } from "@agent-service/agent-core/host";
import { quantile } from "../closed-loop.ts";
import { startIn } from "../mcp/service.ts";
import type { Server } from "../process.ts";
import { newHome } from "../targets.ts";
import { makeJobs, request, storeOf } from "./service.ts";

const JOBS = 1_000;
const ROWS_OF_JOB = 200;
const STARTS = 12;
const REQUESTS = 60;
const HOUR_MS = 3_600_000;

export interface LedgerFigures {
  readonly rows: number;
  /** Medians, in milliseconds. */
  readonly pages: Readonly<Record<"jobs" | "runs" | "calendar", number>>;
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMs: number;
  readonly emptyStartMs: number;
}

async function fill(home: string): Promise<void> {
  const db = await openDatabase({ url: `file:${storeOf(home)}`, owner: { name: "bench" } });
  const newest = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const sql = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS_OF_JOB - 1})
    INSERT INTO schedule_run (job, slot, attempt, state, task, due_at, started_at, ended_at)
    SELECT id, ${newest} - i * ${HOUR_MS}, 1, 'completed', 'task-' || i, ${newest} - i * ${HOUR_MS},
      ${newest} - i * ${HOUR_MS}, ${newest} - i * ${HOUR_MS} + 1000 FROM schedule_job, n`;
  await db.commit({ label: "fill", statements: [{ sql, args: [] }] });
  await db.close();
}

async function startOf(gateway: Server, home: string): Promise<number> {
  const server = await startIn(gateway, home);
  const began = performance.now();
  await (await fetch(`http://127.0.0.1:${server.port}/.well-known/agent-card.json`)).arrayBuffer();
  const took = server.startMs + performance.now() - began;
  await server.stop();
  return took;
}

async function pageOf(server: Server, path: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < REQUESTS; at++) {
    const began = performance.now();
    await request(server, "GET", `/scheduler${path}`);
    times.push(performance.now() - began);
  }
  return quantile(times, 0.5);
}

/** Makes the jobs over the API, and their ledger directly: months of slots. */
export async function measureLedger(gateway: Server): Promise<LedgerFigures> {
  const [empty, full] = [newHome(), newHome()];
  const first = await startIn(gateway, full);
  await makeJobs(first, JOBS, "0 0 * * *");
  await first.stop();
  await fill(full);
  await startOf(gateway, empty);
  const starts = { empty: [] as number[], full: [] as number[] };
  for (let at = 0; at < STARTS; at++) {
    for (const name of at % 2 === 0 ? (["empty", "full"] as const) : (["full", "empty"] as const))
      starts[name].push(await startOf(gateway, name === "empty" ? empty : full));
  }
  const server = await startIn(gateway, full);
  try {
    const pages = {
      jobs: await pageOf(server, "/jobs"),
      runs: await pageOf(server, "/jobs/bench-7/runs"),
      calendar: await pageOf(server, "/calendar"),
    };
    // What else the machine does only adds.
    const [startMs, emptyStartMs] = [quantile(starts.full, 0.25), quantile(starts.empty, 0.25)];
    return { rows: JOBS * ROWS_OF_JOB, pages, startMs, emptyStartMs };
  } finally {
    await server.stop();
  }
}
