/** Memory and load of a service, from its metrics. */
import { setTimeout as sleep } from "node:timers/promises";

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
