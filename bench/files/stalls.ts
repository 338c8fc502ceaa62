/** How long what is large or hostile holds up everything else: the longest delay of the loop beyond one with nothing to do. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bound } from "../bounds.ts";
import { type FilesCase, MOST_STALL_MS, median } from "./case.ts";
import { openBenchEngine } from "./engine.ts";

const FILES = 100_000;
const FLOOD_MB = 400;

/** The longest delay while something runs, in milliseconds. */
async function longestDelay(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(20);
  delay.reset();
  await work();
  // A delay is counted when it is over.
  await sleep(20);
  delay.disable();
  return delay.max / 1e6;
}

export const stalls: FilesCase = {
  name: "stalls",
  async run({ rounds }) {
    const engine = await openBenchEngine();
    try {
      mkdirSync(join(engine.root, "wide"));
      for (let index = 0; index < FILES; index++) writeFileSync(join(engine.root, "wide", `file-${index}.txt`), "");
      writeFileSync(join(engine.root, "hostile.txt"), `${"a".repeat(60)}!`);
      const search = { glob: "", regex: true, ignore_case: false, context_lines: 0, output: "content" };
      const everything = { project: "", include_ignored: false, limit: 1_000 };
      const works: Readonly<Record<string, readonly [repeated: number, () => Promise<string>]>> = {
        [`a command that writes ${FLOOD_MB} MB`]: [
          3,
          () => {
            const command = `head -c ${FLOOD_MB}000000 /dev/zero | tr '\\\\0' 'x' | fold -w 80`;
            return engine.call("run_command", { command, project: "", cwd: ".", timeout: 120 });
          },
        ],
        "a hostile expression": [
          1,
          () => engine.call("search_files", { ...everything, ...search, path: "hostile.txt", pattern: "^(a+)+$" }),
        ],
        [`find_files among ${FILES} files`]: [
          rounds,
          () => engine.call("find_files", { ...everything, path: ".", pattern: "*7.txt" }),
        ],
        [`search_files among ${FILES} files`]: [
          rounds,
          () => engine.call("search_files", { ...everything, ...search, path: ".", pattern: "x" }),
        ],
        [`list_dir of ${FILES} files`]: [
          rounds,
          () => engine.call("list_dir", { project: "", path: "wide", hidden: false }),
        ],
      };
      const bounds: Bound[] = [];
      for (const [what, [repeated, work]] of Object.entries(works)) {
        await work();
        const [found, idle]: [number[], number[]] = [[], []];
        let took = 0;
        for (let round = 0; round < repeated; round++) {
          const began = performance.now();
          found.push(await longestDelay(work));
          took = performance.now() - began;
          idle.push(await longestDelay(() => sleep(took)));
        }
        const beyond = median(found) - median(idle);
        const texts = [median(found), median(idle)].map((ms) => `${ms.toFixed(0)} ms`);
        console.log(`  ${what}, ${took.toFixed(0)} ms: longest delay ${texts.join(", with nothing to do ")}`);
        bounds.push({ what: `delay by ${what}, ms`, found: beyond, most: MOST_STALL_MS, isTime: true });
      }
      return bounds;
    } finally {
      await engine.close();
    }
  },
};
