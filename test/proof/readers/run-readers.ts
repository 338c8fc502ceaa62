/** Slow readers on one running task, and a healthy one beside them (A20; engine invariant EN10). */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { temporaryFolders } from "../../../apps/server/src/testing/index.ts";
import { startServiceProcess } from "../../../apps/server/src/testing/service-process.ts";
import { type HealthyReader, startHealthyReader } from "./healthy-reader.ts";
import { atRest, collectingEnvironment, heldMemory, memory, watchMemory } from "./service-memory.ts";
import type { ReadersOrder, ReadersReport } from "./slow-readers.ts";
import { startTalkingModel, type Talk } from "./talking-model.ts";

/** What to run. */
export interface ReadersOptions extends Talk {
  /** Slow readers. */
  readonly readers: number;
  /** Slow readers that read the rest in the end. */
  readonly finishers: number;
  /** Whether garbage is collected and what is held then is measured, which changes the resident memory. Default: false. */
  readonly collect?: boolean;
}

/** What came of it. Memory in bytes, times in milliseconds. */
export interface ReadersFigures {
  /** Resident memory of the service: fresh; after such a task with one reader; at most, with the slow readers. */
  readonly fresh: number;
  readonly idle: number;
  readonly peak: number;
  /** Bytes that the slow readers hold together, without garbage; only where asked for. */
  readonly held?: number;
  /** From the model's delta to the healthy reader. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
  /** How long the flood took to reach the healthy reader. */
  readonly floodMs: number;
  /** Deltas that the healthy reader received. */
  readonly pieces: number;
  /** Slow readers that read the rest, and those of them whose events were not the healthy one's. */
  readonly finished: number;
  readonly different: number;
}

const READERS = fileURLToPath(new URL("slow-readers.ts", import.meta.url));

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function tell<K extends ReadersReport["kind"]>(child: ChildProcess, order: ReadersOrder, kind: K) {
  const answered = once(child, "message") as Promise<[ReadersReport]>;
  child.send(order);
  const [report] = await Promise.race([
    answered,
    once(child, "exit").then(() => Promise.reject(new Error("the slow readers' process ended"))),
  ]);
  if (report.kind !== kind) throw new Error(`the slow readers sent ${report.kind}`);
  return report as Extract<ReadersReport, { kind: K }>;
}

/** Lets some slow readers read on; how many of them saw something else than the healthy one. */
async function compare(child: ChildProcess, healthy: HealthyReader, count: number) {
  const { streams } = await tell(child, { do: "finish", count }, "finished");
  const different = streams.filter(({ first, digest }) => healthy.digestAfter(Number(first)) !== digest);
  return { finished: streams.length, different: different.length };
}

/** Runs it once. */
export async function runReaders(options: ReadersOptions): Promise<ReadersFigures> {
  const model = await startTalkingModel();
  const folders = temporaryFolders(`
providers:
  - { id: gw, type: compat-gateway, base_url: "${model.baseUrl}", api_key: none }
model: { name: "gw:any", request_timeout: 1800 }
`);
  await using service = startServiceProcess({
    folders,
    env: { SVC_MODEL: "", ...(options.collect && collectingEnvironment(folders.root)) },
  });
  const child = fork(READERS, { execArgv: [] });
  try {
    const url = await service.ready;
    const fresh = await memory(url);
    model.next(options, Promise.resolve(), Promise.resolve());
    await (await startHealthyReader(url)).ended;
    const idle = await memory(url);
    const heldBefore = options.collect ? await heldMemory(service) : 0;

    const flood = Promise.withResolvers<void>();
    const talking = Promise.withResolvers<void>();
    model.next(options, flood.promise, talking.promise);
    const healthy = await startHealthyReader(url);
    const { port } = new URL(url);
    const order = { do: "subscribe", port: Number(port), taskId: healthy.taskId, count: options.readers } as const;
    const most = watchMemory(url);
    await tell(child, order, "subscribed");
    const floodedAt = performance.now();
    flood.resolve();
    await healthy.received(options.floodChars);
    const floodMs = performance.now() - floodedAt;
    await atRest(url);
    talking.resolve();
    await healthy.ended;
    const peak = await most();
    const held = options.collect ? { held: (await heldMemory(service)) - heldBefore } : {};
    const { latencies } = healthy;
    return {
      fresh,
      idle,
      peak,
      ...held,
      latency: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), max: Math.max(...latencies) },
      pieces: latencies.length,
      floodMs,
      ...(await compare(child, healthy, options.finishers)),
    };
  } finally {
    child.kill("SIGKILL");
    model.close();
    folders.remove();
  }
}
