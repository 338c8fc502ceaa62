/** One process that recalls from a store, and prints what it took as JSON: `speed-run.ts <file> <endpoint or -> <questions>`. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { corpus } from "./corpus/corpus.ts";
import { openMemory } from "./open-memory.ts";

/** What one process found; times in milliseconds. */
export interface SpeedFigures {
  /** Until every memory had a vector. */
  readonly indexMs: number;
  readonly p50: number;
  readonly p95: number;
  /** A call of the endpoint alone, which is part of each. */
  readonly callP50: number;
  /** For how long the main thread did not turn, at most and at all but one in a hundred looks. */
  readonly heldMs: number;
  readonly heldP99: number;
  readonly residentMb: number;
  /** A commit of the engine alone, and beside 50 recalls a second. */
  readonly commitMs: number;
  readonly commitBesideMs: number;
  /** The same beside 50 calls of the endpoint a second and no recall: what asking for vectors costs by itself. */
  readonly commitBesideCallsMs: number;
}

const WARM_UP = 20;
const COMMITS = 150;
/** 50 recalls a second. */
const BETWEEN_MS = 20;
const PAUSE_MS = 5;
const LOOK_MS = 1;

const [, , file = "", endpoint = "-", count = "300"] = process.argv;
const embeddings = endpoint === "-" ? undefined : endpoint;
const memory = await openMemory({ url: `file:${file}`, embeddings, engineStore: `file:${file}.engine` });
const questions = corpus()
  .questions.filter(({ answers }) => answers.length > 0)
  .map(({ text }) => text);
const questionAt = (at: number): string => questions[(at * 37) % questions.length] ?? "";

const began = performance.now();
await memory.indexed();
const indexMs = performance.now() - began;
for (let at = 0; at < WARM_UP; at++) await memory.recalled(questionAt(at));
collect();
const held = monitorEventLoopDelay({ resolution: LOOK_MS });
held.enable();
const taken = await times(Number(count), (at) => memory.recalled(questionAt(at)));
held.disable();
const calls = embeddings === undefined ? [0] : await times(100, (at) => callOf(embeddings, questionAt(at)));
await askOverHttp();
collect();
await sleep(500);
const residentMb = process.memoryUsage.rss() / 1024 / 1024;
const commit = (): Promise<unknown> =>
  memory.core.db.commit({
    label: "bench",
    statements: [{ sql: "UPDATE schema_migration SET applied_at = applied_at + 1 WHERE number = 0", args: [] }],
  });
const alone = await commits();
const loaded = await commitsBeside((at) => memory.recalled(questionAt(at)));
const besideCalls =
  embeddings === undefined ? [Number.NaN] : await commitsBeside((at) => callOf(embeddings, questionAt(at)));
await memory.close();
const figures: SpeedFigures = {
  ...{ indexMs, p50: quantile(taken, 0.5), p95: quantile(taken, 0.95), callP50: quantile(calls, 0.5) },
  ...{ heldMs: held.max / 1e6 - LOOK_MS, heldP99: held.percentile(99) / 1e6 - LOOK_MS, residentMb },
  ...{ commitMs: quantile(alone, 0.5), commitBesideMs: quantile(loaded, 0.5) },
  commitBesideCallsMs: quantile(besideCalls, 0.5),
};
console.log(JSON.stringify(figures));

async function commits(): Promise<number[]> {
  const took: number[] = [];
  for (let at = 0; at < COMMITS; at++) {
    took.push(...(await times(1, commit)));
    await sleep(PAUSE_MS);
  }
  return took;
}

/** What commits take while something is asked for 50 times a second. */
async function commitsBeside(ask: (at: number) => Promise<unknown>): Promise<number[]> {
  let isOn = true;
  const beside = (async () => {
    const asked: Promise<unknown>[] = [];
    for (let at = 0; isOn; at++) {
      asked.push(ask(at));
      await sleep(BETWEEN_MS);
    }
    await Promise.all(asked);
  })();
  const took = await commits();
  isOn = false;
  await beside;
  return took;
}

async function times(many: number, run: (at: number) => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < many; at++) {
    const from = performance.now();
    await run(at);
    found.push(performance.now() - from);
  }
  return found;
}

function quantile(of: readonly number[], share: number): number {
  const sorted = of.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A service that finds by words alone asks its model over HTTP too: what that takes is not of vectors. */
async function askOverHttp(): Promise<void> {
  const server = createServer((_, response) => void response.end("{}")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await times(100, (at) => callOf(`http://127.0.0.1:${port}`, questionAt(at)));
  server.closeAllConnections();
  server.close();
}

function collect(): void {
  (globalThis as { gc?: () => void }).gc?.();
}

async function callOf(baseUrl: string, text: string): Promise<void> {
  const response = await fetch(`${baseUrl}/embeddings`, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ model: "any", input: [text] }),
  });
  await response.text();
}
