/** Processes that write and read one commons at once (K26). */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../../../packages/agent-core/src/database/index.ts";
import { type CommonsReport, faultOf, versionOf } from "./skill-text.ts";

export interface CommonsOutcome {
  readonly writes: number;
  readonly reads: number;
  readonly ms: number;
  /** Median milliseconds of a commit of a store beside them, before and meanwhile. */
  readonly commitMs: readonly [alone: number, beside: number];
  readonly violations: readonly string[];
}

const ENTRY = fileURLToPath(new URL("commons-process.ts", import.meta.url));
const PROCESSES = 2;
const COMMITS = 200;

/** Lets two processes do so many writes and reads together. */
export async function runCommons(seed: string, operations: number): Promise<CommonsOutcome> {
  const root = mkdtempSync(join(tmpdir(), "proof-commons-"));
  const commons = join(root, "commons");
  try {
    const db = await openDatabase({ url: `file:${join(root, "engine.db")}`, owner: { name: "proof" } });
    const alone = await medianCommit((at) => at < COMMITS, db);
    const began = performance.now();
    let running = PROCESSES;
    const ends = Array.from({ length: PROCESSES }, async (_, number) => {
      const own = join(root, `own-${number}`);
      mkdirSync(own);
      const args = [own, commons, String(number), String(operations / PROCESSES), seed];
      const child = fork(ENTRY, args, { execArgv: ["--conditions=@agent-service/source"] });
      const [report] = await Promise.race([once(child, "message"), once(child, "exit")]);
      running--;
      return report as CommonsReport | number;
    });
    const beside = await medianCommit(() => running > 0, db);
    const reports = await Promise.all(ends);
    const ms = performance.now() - began;
    await db.close();
    const whole = reports.filter((report): report is CommonsReport => typeof report === "object");
    const violations = whole.length < PROCESSES ? ["a process ended by itself"] : judge(commons, whole);
    const sum = (of: "writes" | "reads"): number => whole.reduce((all, report) => all + report[of], 0);
    return { writes: sum("writes"), reads: sum("reads"), ms, commitMs: [alone, beside], violations };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
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

async function medianCommit(
  goesOn: (at: number) => boolean,
  db: Awaited<ReturnType<typeof openDatabase>>,
): Promise<number> {
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
