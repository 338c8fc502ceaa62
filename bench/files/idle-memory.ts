/** What the service keeps with nothing to do, with the agent's hands and without. */
import { realpathSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ownMb } from "../process.ts";
import { newHome } from "../targets.ts";
import { type FilesCase, median } from "./case.ts";
import { startService, turn } from "./service.ts";

const MOST_MORE_MB = 2;

/**
 * Memory of a fresh service after a few turns that is its own, the least of several looks: what is measured is what stays.
 * How much of its files the system keeps mapped differs by 5 MB from start to start.
 */
async function idle(configuration: string): Promise<number> {
  const home = realpathSync(newHome());
  const server = await startService(home, configuration);
  try {
    for (let count = 0; count < 5; count++) await turn(server.port, "calculator", { expression: "6*7" });
    await sleep(3_000);
    let least = Number.POSITIVE_INFINITY;
    for (let look = 0; look < 6; look++) {
      await sleep(200);
      least = Math.min(least, ownMb(server.pid) ?? Number.NaN);
    }
    return least;
  } finally {
    await server.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

export const idleMemory: FilesCase = {
  name: "idle-memory",
  async run({ rounds }) {
    const [on, off]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      on.push(await idle("execute_code: {enabled: true}\n"));
      off.push(await idle("filesystem: {enabled: false}\n"));
    }
    const texts = [median(on), median(off)].map((mb) => `${mb.toFixed(1)} MB`);
    console.log(`  memory of its own with nothing to do: ${texts.join(", with filesystem.enabled: false ")}`);
    const found = median(on) - median(off);
    return [{ what: "idle memory of the agent's hands, MB", found, most: MOST_MORE_MB, isTime: false }];
  },
};
