/** The built service with scheduled jobs, asked over HTTP; its store is read beside it, so that looking costs the service nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../process.ts";
import { BENCH_TOKEN } from "../targets.ts";

/** Requests that are under way at once. */
const AT_ONCE = 16;

/** One request of the operator API. @throws Error where it is refused */
export async function request(
  server: Pick<Server, "port">,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${server.port}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${BENCH_TOKEN}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** Does something for 0 to `count` - 1, some at once. */
async function forEach(count: number, act: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const NAME = "bench";
const idOf = (number: number, name = NAME): string => `${name}-${number}`;

/** Makes jobs of one schedule, each with a conversation of its own. */
export function makeJobs(server: Server, count: number, schedule: string, name = NAME): Promise<void> {
  return forEach(count, (number) =>
    request(server, "POST", "/scheduler/jobs", { job_id: idOf(number, name), prompt: `hello ${number}`, schedule }),
  );
}

/** The project that watches look into, and its file. */
const PROJECT = "watched";
const FILE = "state.json";

/** A folder beside a home that watches can look into, as the settings name it. To be made before the service starts. */
export function makeWatched(home: string): void {
  const [folder, config] = [`${home}-${PROJECT}`, join(home, "config")];
  mkdirSync(folder, { recursive: true });
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(folder, FILE),
    JSON.stringify({ open: 3, items: Array.from({ length: 50 }, (_, id) => ({ id })) }),
  );
  const projects = [{ name: PROJECT, path: folder, write: true }];
  writeFileSync(join(config, "agent-config.yaml"), `projects: ${JSON.stringify(projects)}\n`);
}

/** Makes watches of that file, looked at every 30 seconds, that never hold, each with a conversation of its own; every second one asks by an expression. */
export function makeWatches(server: Server, count: number): Promise<void> {
  return forEach(count, (number) => {
    const how = number % 2 === 0 ? { contains: "never there" } : { expr: "open = 0" };
    const verifier = { type: "data", path: FILE, ...how };
    const about = { watch_id: idOf(number), condition: `Condition ${number}`, run_session: `watch-${number}` };
    return request(server, "POST", "/watches", { ...about, project: PROJECT, verifier });
  });
}

/** Removes what `makeJobs` made. */
export function removeJobs(server: Server, count: number): Promise<void> {
  return forEach(count, (number) => request(server, "DELETE", `/scheduler/jobs/${idOf(number)}`));
}

/** The store of the service in a home. */
export function storeOf(home: string): string {
  return join(home, "checkpoints.db");
}

/** A reader of that store. */
export function readerOf(home: string): DatabaseSync {
  return new DatabaseSync(storeOf(home), { readOnly: true });
}

/** What the ledger has of a slot. Times are epoch milliseconds. */
export interface SlotCounts {
  readonly begun: number;
  readonly ended: number;
  readonly lastBegun: number;
}

/** @throws Error where runs have failed */
export function countsOf(store: DatabaseSync, slot: number): SlotCounts {
  const row = store
    .prepare(
      `SELECT count(started_at) AS begun, count(ended_at) AS ended, max(started_at) AS last,
         sum(state NOT IN ('running', 'completed')) AS wrong FROM schedule_run WHERE slot = ?`,
    )
    .get(slot) as { readonly begun: number; readonly ended: number; readonly last: number; readonly wrong: number };
  if (row.wrong > 0) throw new Error(`${row.wrong} runs did not complete`);
  return { begun: row.begun, ended: row.ended, lastBegun: row.last };
}

/** Waits until so many runs of a slot have ended. @throws Error where they have not within a minute */
export async function untilEnded(store: DatabaseSync, slot: number, count: number): Promise<SlotCounts> {
  for (let look = 0; look < 600; look++) {
    const counts = countsOf(store, slot);
    if (counts.ended >= count) return counts;
    await sleep(100);
  }
  throw new Error(`not all of ${count} runs have ended`);
}
