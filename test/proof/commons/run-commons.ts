/** Processes that write and read one commons at once (K26). */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Database, openDatabase } from "../../../packages/agent-core/src/database/index.ts";
import { judgeMemories } from "./judge-memories.ts";
import { type CommonsReport, faultOf, versionOf } from "./skill-text.ts";

export interface CommonsOutcome {
  readonly writes: number;
  readonly reads: number;
  readonly ms: number;
  /**
   * Median milliseconds of a commit of another store: with nothing beside it, beside processes that do the same each in a
   * commons of its own, and beside those that share one.
   */
  readonly commitMs: { readonly alone: number; readonly apart: number; readonly together: number };
  readonly violations: readonly string[];
}

const ENTRY = fileURLToPath(new URL("commons-process.ts", import.meta.url));
const PROCESSES = 2;
const COMMITS = 1_000;

/** Lets two processes do so many writes and reads together, after a fifth as many each in commons of its own. */
export async function runCommons(seed: string, operations: number): Promise<CommonsOutcome> {
  const root = mkdtempSync(join(tmpdir(), "proof-commons-"));
  const commons = join(root, "commons");
  try {
    const db = await openDatabase({ url: `file:${join(root, "engine.db")}`, owner: { name: "proof" } });
    // The first ones find everything cold.
    await medianCommit((at) => at < COMMITS, db);
    const alone = await medianCommit((at) => at < COMMITS, db);
    const fewer = Math.ceil(operations / 5);
    const apart = await runProcesses(join(root, "apart"), db, {
      seed,
      operations: fewer,
      commons: (of) => `${root}/${of}`,
    });
    const together = await runProcesses(join(root, "together"), db, { seed, operations, commons: () => commons });
    await db.close();
    const whole = together.reports.filter((report) => typeof report === "object" && report !== null) as CommonsReport[];
    const violations =
      whole.length < PROCESSES
        ? ["a process ended by itself"]
        : [
            ...judge(join(commons, "skills"), whole),
            ...judgeMemories(
              join(commons, "memories"),
              whole.map(({ memories }) => memories),
            ),
          ];
    const sum = (of: "writes" | "reads"): number => whole.reduce((all, report) => all + report[of], 0);
    return {
      ...{ writes: sum("writes"), reads: sum("reads"), ms: together.ms, violations },
      commitMs: { alone, apart: apart.commitMs, together: together.commitMs },
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Lets the processes write and read, each in a commons that `commons` names, while commits of `db` are timed. */
async function runProcesses(
  root: string,
  db: Database,
  options: { readonly seed: string; readonly operations: number; readonly commons: (number: number) => string },
): Promise<{ readonly reports: readonly unknown[]; readonly ms: number; readonly commitMs: number }> {
  const { seed, operations, commons } = options;
  const began = performance.now();
  let running = PROCESSES;
  const writing = Promise.withResolvers<void>();
  const ends = Array.from({ length: PROCESSES }, async (_, number) => {
    const own = join(root, `own-${number}`);
    mkdirSync(own, { recursive: true });
    const args = [own, commons(number), String(number), String(operations / PROCESSES), seed];
    const child = fork(ENTRY, args, { execArgv: ["--conditions=@agent-service/source"] });
    const ended = once(child, "exit").then(([code]) => code as number | null);
    const said = async () => (await Promise.race([once(child, "message").then(([said]) => said), ended])) as unknown;
    const written = await said();
    running--;
    if (running === 0) writing.resolve();
    if (written !== "written") return written;
    await writing.promise;
    child.send("all");
    return said();
  });
  const commitMs = await medianCommit(() => running > 0, db);
  const ms = performance.now() - began;
  return { reports: await Promise.all(ends), ms, commitMs };
}

/** Each skill stands as a process put it there last, and nothing else lies beside it. */
function judge(commons: string, reports: readonly CommonsReport[]): readonly string[] {
  const violations = reports.flatMap(({ faults }) => faults);
  for (const name of new Set(reports.flatMap(({ last }) => Object.keys(last)))) {
    const text = readFileSync(join(commons, name, "SKILL.md"), "utf8");
    const fault = faultOf(name, text);
    if (fault !== undefined) violations.push(fault);
    const found = versionOf(text);
    if (found === undefined || reports[found.writer]?.last[name] !== found.version)
      violations.push(`${name} is of ${found?.writer}/${found?.version}, which was not the last of its writer`);
    const beside = readdirSync(join(commons, name)).filter((file) => file !== "SKILL.md");
    if (beside.length > 0) violations.push(`${beside.join(", ")} lies beside ${name}`);
  }
  return violations;
}

async function medianCommit(goesOn: (at: number) => boolean, db: Database): Promise<number> {
  const took: number[] = [];
  for (let at = 0; goesOn(at); at++) {
    const began = performance.now();
    await db.commit({
      label: "proof",
      statements: [{ sql: "UPDATE lease SET owner = ? WHERE id = 1", args: [`proof ${at}`] }],
    });
    took.push(performance.now() - began);
  }
  return took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;
}
