/** Memory and load of a service, from its metrics and from what it holds after a collection. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ServiceProcess } from "../../../apps/server/src/testing/service-process.ts";

const MEMORY_EVERY_MS = 200;
const REST_MS = 500;

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

/** Resident memory in bytes. */
export function memory(url: string): Promise<number> {
  return metric(url, "process_resident_memory_bytes");
}

/** Samples a service's memory until stopped; returns the maximum. */
export function watchMemory(url: string): () => Promise<number> {
  let most = 0;
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      most = Math.max(most, await memory(url));
      await sleep(MEMORY_EVERY_MS);
    }
  })();
  return async () => {
    stopped = true;
    await watching;
    return most;
  };
}

/** Waits until the service is busy less than half of the time: what the slow readers' systems take was sent. */
export async function atRest(url: string): Promise<void> {
  const active = (): Promise<number> => metric(url, "nodejs_eventloop_active_seconds_total");
  for (let before = await active(); ; ) {
    await sleep(REST_MS);
    const now = await active();
    if (now - before < REST_MS / 2_000) return;
    before = now;
  }
}

/** Waits until a service's memory is `bytes` at most; the least it was until then, or within `ms` milliseconds. */
export async function memoryBelow(url: string, bytes: number, ms: number): Promise<number> {
  let least = await memory(url);
  for (const until = performance.now() + ms; least > bytes && performance.now() < until; ) {
    await sleep(MEMORY_EVERY_MS);
    least = Math.min(least, await memory(url));
  }
  return least;
}

const HOOK = fileURLToPath(new URL("collect-on-signal.ts", import.meta.url));
const heldFile = (root: string): string => path.join(root, "held-memory");

/** The environment of a service whose `heldMemory` is asked for; `root` is the folder of its home. */
export function collectingEnvironment(root: string): { readonly [name: string]: string } {
  return { NODE_OPTIONS: `--import=${pathToFileURL(HOOK).href}`, PROOF_HELD_MEMORY: heldFile(root) };
}

/** Bytes that the main thread of such a service holds once it has collected its garbage: objects, texts, buffers. */
export async function heldMemory(service: ServiceProcess): Promise<number> {
  const file = heldFile(service.folders.root);
  const lines = (): readonly string[] => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);
  const before = lines().length;
  service.signal("SIGUSR2");
  while (lines().length === before) await sleep(MEMORY_EVERY_MS);
  return Number(lines().at(-1));
}
