/** Hostile servers behind `McpServers`, as the service has them, and what is left of them. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inParallel } from "../../../packages/agent-core/src/collection/index.ts";
import { openDatabase } from "../../../packages/agent-core/src/database/index.ts";
import { createRandom } from "../random.ts";
import { type ServerPlace, startPlaces } from "./server-places.ts";
import { PHASES, type Phase, VICES, type Vice } from "./vices.ts";

const server = new URL("hostile-server.ts", import.meta.url).pathname;

/** Milliseconds in which what no group held any more ends by itself. */
const LEFT_MS = 10_000;
/** Seconds that a silent server is waited for. */
const SILENCE_SECONDS = 1;

export interface HostileServersOptions {
  readonly seed: string;
  readonly servers: number;
  /** How many at once. */
  readonly atOnce: number;
  /** Seconds that a connection, and then a call, may take where the server is not silent. */
  readonly patienceSeconds: number;
  /** Called after each. */
  onEnd?(done: number): void;
}

export interface HostileServersReport {
  readonly violations: readonly string[];
  /** What came of the servers, by outcome. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Lines of their logs. */
  readonly logLines: number;
}

/** One server, drawn from a seed. Every vice and phase comes once in the first ones, in an order of the seed. */
export function drawServer(seed: string, index: number): { readonly vice: Vice; readonly phase: Phase } {
  const random = createRandom(seed).fork(index);
  return { vice: VICES[index % VICES.length]!, phase: random.pick(PHASES) };
}

async function leftBehind(run: string): Promise<readonly number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const left: number[] = [];
  for (const pid of pids) {
    const variables = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    if (variables.includes(`HOSTILE_RUN=${run}`)) left.push(pid);
  }
  return left;
}

/** Those that are there for longer than one that was just being made as its group ended. */
async function leftForGood(run: string): Promise<readonly number[]> {
  const until = performance.now() + LEFT_MS;
  for (;;) {
    const left = await leftBehind(run);
    if (left.length === 0 || performance.now() > until) return left;
    await sleep(50);
  }
}

/** Runs them. */
export async function runHostileServers(options: HostileServersOptions): Promise<HostileServersReport> {
  const { seed, servers, atOnce, patienceSeconds, onEnd } = options;
  const folder = await mkdtemp(join(tmpdir(), "hostile-"));
  const db = await openDatabase({ url: `file:${join(folder, "store.db")}`, owner: { name: "proof" } });
  const violations: string[] = [];
  const outcomes = new Map<string, number>();
  let logLines = 0;
  let done = 0;
  const run = crypto.randomUUID();
  const fatal = (error: unknown): void => void violations.push(`outside of a request: ${String(error)}`);
  process.on("uncaughtException", fatal).on("unhandledRejection", fatal);
  const onWarning = (text: string): void => void violations.push(text);
  const patient = await startPlaces({ db, places: atOnce, timeoutSeconds: patienceSeconds, onWarning });
  // Servers that answer nothing are waited for by servers of other settings: the others' time is for slow machines.
  const short = await startPlaces({ db, places: atOnce, timeoutSeconds: SILENCE_SECONDS, onWarning, prefix: "silent" });

  const tryOne = async (vice: Vice, phase: Phase, place: ServerPlace): Promise<string> => {
    const { state, tools, call, remove } = await place.use({
      ...{ command: process.execPath, args: [server, vice, phase], cwd: folder, env: { HOSTILE_RUN: run } },
    });
    try {
      if (state !== "ready") return state;
      let last = "";
      for (const name of ["echo", "t0"]) if (tools.includes(name)) last = await call(name);
      return `ready, ${tools.length} tools${last === "" ? "" : `, ${last}`}`;
    } finally {
      logLines += await remove();
    }
  };

  await inParallel(
    Array.from({ length: servers }, (_, index) => index),
    atOnce,
    async (index) => {
      const { vice, phase } = drawServer(seed, index);
      const places = vice === "silence" ? short : patient;
      const outcome = await places
        .take((place) => tryOne(vice, phase, place))
        .catch((error: unknown) => {
          violations.push(`${index} ${vice} at ${phase}: ${String(error)}`);
          return "violation";
        });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      onEnd?.(++done);
    },
  );

  for (const places of [patient, short]) {
    await places.stop();
    if (places.running > 0) violations.push(`${places.running} programs are still counted`);
  }
  for (const table of ["process_run", "mcp_server", "mcp_definition"]) {
    const rows = await db.read({ sql: `SELECT 1 FROM ${table}`, args: [] });
    if (rows.length > 0) violations.push(`${rows.length} rows of ${table} are left`);
  }
  const left = await leftForGood(run);
  if (left.length > 0) violations.push(`${left.length} processes are left`);
  process.off("uncaughtException", fatal).off("unhandledRejection", fatal);
  await db.close();
  await rm(folder, { recursive: true });
  return { violations, outcomes, logLines };
}
