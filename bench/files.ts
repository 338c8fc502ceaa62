/**
 * `pnpm bench:files [--files N] [--rounds N]`: how long the agent's tools take to look through a tree, beside the programs
 * that people use for it. Each round asks all of them in turn; the medians count. It holds the bounds of
 * `docs/performance.md`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Fence, filesystem, ProjectRegistry, ProtectedPlaces, projectAt } from "@agent-service/agent-core/host";

const { values } = parseArgs({
  options: { files: { type: "string", default: "20000" }, rounds: { type: "string", default: "9" } },
});
const count = Number(values.files);
const rounds = Number(values.rounds);
const BYTES = 5_000;
/** Of the program's own time. */
const MOST = { search_files: 8, find_files: 8 } as const;
/** Milliseconds that nothing may hold up the service for. */
const MOST_STALL_MS = 50;

const WORDS = ["harbour", "ships", "inside", "const", "return", "while", "0x1f", "import", "night", "value"];

function makeTree(root: string): void {
  for (let index = 0; index < count; index++) {
    const folder = join(root, `src/part-${Math.floor(index / 500)}/${Math.floor(index / 50) % 10}`);
    if (index % 50 === 0) mkdirSync(folder, { recursive: true });
    const lines: string[] = [];
    for (let length = 0; length < BYTES; length += lines.at(-1)!.length + 1)
      lines.push(
        Array.from({ length: 9 }, (_, word) => WORDS[(index * 7 + lines.length * 3 + word) % WORDS.length]).join(" "),
      );
    if (index % 100 === 0) lines[10] = "the needle of this file";
    writeFileSync(join(folder, `file-${index}.ts`), lines.join("\n"));
  }
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

const root = realpathSync(mkdtempSync(join(tmpdir(), "bench-files-")));
try {
  makeTree(root);
  const registry = new ProjectRegistry([projectAt({ name: "bench", path: root })]);
  const places = new ProtectedPlaces([]);
  const fence = new Fence({ projects: () => registry, places: () => places });
  const feature = filesystem({ fence });
  const tools = feature.tools?.(feature.open(undefined as never, undefined as never) as never) ?? [];
  const call = async (name: string, given: object): Promise<string> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no ${name}`);
    const defaults = { path: ".", project: "", include_ignored: false, limit: 1_000 };
    const search = { glob: "", regex: true, ignore_case: false, context_lines: 0, output: "content" };
    const context = { signal: new AbortController().signal, contextId: "bench" };
    return (await tool.run({ ...defaults, ...search, ...given }, context as never)) as string;
  };
  const asked: Record<string, () => unknown> = {
    grep: () => execFileSync("grep", ["-rIn", "-E", "need[a-z]e of", "."], { cwd: root, maxBuffer: 1 << 26 }),
    search_files: () => call("search_files", { pattern: "need[a-z]e of" }),
    find: () =>
      execFileSync("find", [".", "-name", "*1.ts", "-printf", "%T@ %p\\n"], { cwd: root, maxBuffer: 1 << 26 }),
    find_files: () => call("find_files", { pattern: "*1.ts" }),
  };
  const times = new Map<string, number[]>(Object.keys(asked).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, ask] of Object.entries(asked)) {
      const from = performance.now();
      await ask();
      // The first round fills the caches.
      if (round > 0) times.get(name)!.push(performance.now() - from);
    }
  const ms = (name: string): number => median(times.get(name)!);
  const rows = [
    ["search_files", "grep -rInE"],
    ["find_files", "find -name -printf"],
  ] as const;
  let isKept = true;
  console.log(`${count} files of ${BYTES} bytes, medians of ${rounds} rounds`);
  for (const [tool, program] of rows) {
    const [own, theirs] = [ms(tool), ms(program.split(" ")[0]!)];
    const ratio = own / theirs;
    if (ratio > MOST[tool]) isKept = false;
    console.log(
      `  ${tool}: ${own.toFixed(0)} ms, ${program}: ${theirs.toFixed(0)} ms, ${ratio.toFixed(1)} times (at most ${MOST[tool]})`,
    );
  }
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(2_000);
  const idle = delay.max / 1e6;
  delay.reset();
  writeFileSync(join(root, "hostile.txt"), `${"a".repeat(60)}!`);
  const from = performance.now();
  const told = await call("search_files", { pattern: "^(a+)+$" });
  const took = performance.now() - from;
  delay.disable();
  const stall = delay.max / 1e6;
  if (stall - idle > MOST_STALL_MS || !told.includes("ended after 10 s")) isKept = false;
  console.log(
    `  a hostile expression: ended after ${(took / 1_000).toFixed(1)} s, held up the service ${stall.toFixed(0)} ms at most, where nothing does ${idle.toFixed(0)} ms (at most ${MOST_STALL_MS} more)`,
  );
  process.exitCode = isKept ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
