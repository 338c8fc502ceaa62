/** Hostile servers over our client and our transport, and what is left of them. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../packages/agent-core/src/clock/index.ts";
import { inParallel } from "../../../packages/agent-core/src/collection/index.ts";
import { openDatabase } from "../../../packages/agent-core/src/database/index.ts";
import { ConnectionError, openConnection } from "../../../packages/agent-core/src/mcp/connection/index.ts";
import { ProgramTransport } from "../../../packages/agent-core/src/mcp/stdio/index.ts";
import { Processes } from "../../../packages/agent-core/src/process/index.ts";
import { createRandom } from "../random.ts";
import { PHASES, type Phase, VICES, type Vice } from "./vices.ts";

const server = new URL("hostile-server.ts", import.meta.url).pathname;

/** Milliseconds that a silent server is waited for. */
const SILENCE_MS = 500;

export interface HostileServersOptions {
  readonly seed: string;
  readonly servers: number;
  /** How many at once. */
  readonly atOnce: number;
  /** Milliseconds that a connection, and then a request, may take where the server is not silent. */
  readonly patienceMs: number;
  /** Called after each. */
  onEnd?(done: number): void;
}

export interface HostileServersReport {
  readonly violations: readonly string[];
  /** What came of the servers, by outcome. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Lines that were not messages, and what servers wrote to their logs. */
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

/** Runs them. */
export async function runHostileServers(options: HostileServersOptions): Promise<HostileServersReport> {
  const { seed, servers, atOnce, patienceMs, onEnd } = options;
  const folder = await mkdtemp(join(tmpdir(), "hostile-"));
  const db = await openDatabase({ url: `file:${join(folder, "store.db")}`, owner: { name: "proof" } });
  const log = { warn: (text: string) => void violations.push(text), debug() {} };
  const processes = new Processes({ db, clock: systemClock(), log, newId: () => crypto.randomUUID(), graceMs: 200 });
  const violations: string[] = [];
  const outcomes = new Map<string, number>();
  let logLines = 0;
  let done = 0;
  const run = crypto.randomUUID();
  const fatal = (error: unknown): void => void violations.push(`outside of a request: ${String(error)}`);
  process.on("uncaughtException", fatal).on("unhandledRejection", fatal);

  const tryOne = async (vice: Vice, phase: Phase): Promise<string> => {
    const timeoutMs = vice === "silence" ? SILENCE_MS : patienceMs;
    const target = {
      ...({ transport: "stdio", command: process.execPath, args: [server, vice, phase], cwd: folder } as const),
      env: { PATH: process.env.PATH ?? "", HOSTILE_RUN: run },
    };
    const connection = await openConnection({
      ...{ server: "hostile", target, timeoutMs, signal: new AbortController().signal },
      ...{ version: "1", elicitation: false },
      source: {
        egressFor: () => {
          throw new Error("a program needs no network");
        },
        stdio: (name, resolved, events) => new ProgramTransport({ processes, server: name, target: resolved, events }),
      },
      redact: (text) => text,
      onLog: () => void logLines++,
      onClosed() {},
      onListChanged() {},
      onElicitation: () => Promise.reject(new Error("nothing was offered")),
    });
    try {
      const late = (): AbortSignal => AbortSignal.timeout(timeoutMs);
      const tools = await connection.list("tools", late());
      const inputSchema = { type: "object" };
      for (const name of ["echo", "t0"])
        await connection.callTool({
          name,
          args: { a: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" },
          inputSchema,
          signal: late(),
        });
      return `answered, ${tools.length} tools`;
    } finally {
      await connection.close();
    }
  };

  await inParallel(
    Array.from({ length: servers }, (_, index) => index),
    atOnce,
    async (index) => {
      const { vice, phase } = drawServer(seed, index);
      const outcome = await tryOne(vice, phase).catch((error: unknown) => {
        if (error instanceof ConnectionError) return error.code;
        if ((error as Error).name === "TimeoutError") return "timeout";
        violations.push(`${index} ${vice} at ${phase}: ${String(error)}`);
        return "violation";
      });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      onEnd?.(++done);
    },
  );

  await processes.stop();
  if (processes.running > 0) violations.push(`${processes.running} programs are still counted`);
  const rows = await db.read({ sql: "SELECT owner FROM process_run", args: [] });
  if (rows.length > 0) violations.push(`${rows.length} rows of programs are left`);
  const left = await leftBehind(run);
  if (left.length > 0) violations.push(`${left.length} processes are left`);
  process.off("uncaughtException", fatal).off("unhandledRejection", fatal);
  await db.close();
  await rm(folder, { recursive: true });
  return { violations, outcomes, logLines };
}
