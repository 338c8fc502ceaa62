/** Runs what is meant to harm a service, and looks at what is left of it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { WAIT_LIMIT_MS } from "../../run/limits.ts";
import { startedPrograms } from "../service-life.ts";
import { type AskedService, type InstanceKind, startAskedService } from "./asked-service.ts";
import { type HostileCase, hostileCases } from "./hostile-cases.ts";
import { startHostilePages } from "./hostile-pages.ts";

/** How one case went. */
export interface CaseOutcome {
  readonly name: string;
  readonly answer: string;
  /** Milliseconds that the loop's thread computed in the longest standstill, and how long that was by the clock. */
  readonly heldMs: number;
  readonly stoodMs: number;
}

export interface ChecksOutcome {
  readonly cases: readonly CaseOutcome[];
  readonly violations: readonly string[];
}

export interface ChecksOptions {
  /** What a check prints, and a page holds. */
  readonly bytes?: number;
  /** Milliseconds for which the loop may not be held up. */
  readonly leastMs?: number;
  readonly brief?: boolean;
}

const ROWS = ["schedule_job", "watch", "goal", "schedule_run"] as const;

export async function runChecks({
  bytes = 1_000_000_000,
  leastMs = 100,
  brief = false,
}: ChecksOptions = {}): Promise<ChecksOutcome> {
  const root = mkdtempSync(join(tmpdir(), "proof-checks-"));
  const pages = await startHostilePages(bytes);
  const cases: CaseOutcome[] = [];
  const violations: string[] = [];
  const services = new Map<InstanceKind, AskedService>();
  try {
    for (const kind of ["closed", "open"] as const) services.set(kind, await startAskedService(root, kind));
    for (const service of services.values()) {
      writeFileSync(join(service.project, "data.json"), JSON.stringify({ rows: [1, 2, 3] }));
      await warmUp(service);
    }
    for (const one of hostileCases({ pages, bytes, brief }))
      cases.push(await runCase(one, services.get(one.instance)!, { violations, leastMs }));
  } finally {
    for (const service of services.values()) await service.stop();
    await pages.close();
    rmSync(root, { recursive: true, force: true });
  }
  return { cases, violations };
}

/** What is loaded and started at the first check is not what is measured. */
async function warmUp(service: AskedService): Promise<void> {
  const watch = { watch_id: "warm", condition: "c", verifier: { type: "data", path: "data.json", expr: "1 = 1" } };
  await service.ask({ method: "POST", path: "/api/watches", body: watch });
  await service.ask({ method: "POST", path: "/api/watches/warm/check" });
  await service.ask({ method: "DELETE", path: "/api/watches/warm" });
  await service.ask({ method: "POST", path: "/api/chat", body: { message: "/say hello" } });
  await service.rest();
  await service.stalls();
}

async function runCase(
  { name, run }: HostileCase,
  service: AskedService,
  { violations, leastMs }: { readonly violations: string[]; readonly leastMs: number },
): Promise<CaseOutcome> {
  const { answer, wrong } = await run(service);
  if (wrong !== undefined) violations.push(`${name}: ${wrong} (${answer})`);
  for (const left of rowsOf(service.store)) violations.push(`${name}: there is a row of ${left}`);
  if (existsSync(join(service.project, "pwned"))) violations.push(`${name}: its command ran`);
  const programs = await programsLeft(service.store);
  if (programs > 0) violations.push(`${name}: it left ${programs} programs running`);
  const { heldMs, stoodMs } = await service.stalls();
  if (heldMs >= leastMs) violations.push(`${name}: it held the loop up for ${Math.round(heldMs)} ms`);
  return { name, answer, heldMs, stoodMs };
}

/** Jobs, watches, goals and slots that a case has left. */
function rowsOf(store: string): readonly string[] {
  const db = new DatabaseSync(store, { readOnly: true });
  try {
    return ROWS.filter((table) => db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined);
  } finally {
    db.close();
  }
}

/** Programs that a check has left, but for the one in which expressions run. */
async function programsLeft(store: string): Promise<number> {
  const until = performance.now() + WAIT_LIMIT_MS;
  const left = (): number => startedPrograms(store).filter((pid) => !isOurs(pid)).length;
  while (left() > 0 && performance.now() < until) await sleep(50);
  return left();
}

function isOurs(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("expression-child");
  } catch {
    return true;
  }
}
