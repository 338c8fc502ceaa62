import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Way } from "./run-cases.ts";
import { CANARY, INSIDE, type World } from "./world.ts";

export interface RaceReport {
  readonly races: number;
  /** How often the other process swapped meanwhile. */
  readonly swaps: number;
  /** Calls that reached the project's own file, and calls that were refused. */
  readonly reached: number;
  readonly refused: number;
  readonly violations: readonly string[];
}

const PATHS = ["folder/canary.txt", "file", "folder/../folder/canary.txt", "folder/new.txt", "folder/./../file"];

/** Goes the ways to paths of which a second process swaps folder and file for links to outside. */
export async function runRaces(world: World, ways: readonly Way[], races: number): Promise<RaceReport> {
  const root = mkdtempSync(join(world.root, "all/app/races-"));
  const other = fork(fileURLToPath(new URL("swap-process.ts", import.meta.url)), [root, world.outside, INSIDE], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let swaps = 0;
  other.on("message", (rounds) => {
    swaps = rounds as number;
  });
  const violations: string[] = [];
  const sums = { reached: 0, refused: 0 };
  try {
    await once(other.stdout!, "data");
    for (let race = 0; race < races; race++) {
      const way = ways[race % ways.length]!;
      const path = `${basename(root)}/${PATHS[Math.floor(race / ways.length) % PATHS.length]}`;
      const outcome = await way.go({ project: "app", path }).then(
        (text) => ({ text, how: "reached" as const }),
        (error: Error) => ({ text: error.message, how: "refused" as const }),
      );
      sums[outcome.how]++;
      if (outcome.text.includes(CANARY)) violations.push(`${way.name} ${path}: it shows what is outside`);
      if (race % 250 === 249 || race === races - 1)
        violations.push(
          ...world.changes().map((folder) => `${way.name} ${path}, or one of the 250 before: ${folder} was changed`),
        );
      if (violations.length > 20) break;
    }
  } finally {
    other.disconnect();
    if (other.exitCode === null) await once(other, "exit");
  }
  return { races, swaps, ...sums, violations };
}
