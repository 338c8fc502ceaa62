/** Checks by what a code host says of a pull request or a branch, through `gh` on the PATH. */
import * as v from "valibot";
import type { Fence } from "../fence/index.ts";
import { type CheckCommands, checkEnvironment, requireExit } from "./command-check.ts";
import type { CheckRun, PreparedCheck, RawVerdict } from "./prepared-check.ts";
import { failed } from "./verifier-error.ts";
import type { SpecOf } from "./verifier-spec.ts";

/** Outside of every repository: no settings of one steer `gh`. */
const OUTSIDE = "/";
const MAX_CHARS = 200_000;
const QUIET = { GH_PROMPT_DISABLED: "1", NO_COLOR: "1", GH_NO_UPDATE_NOTIFIER: "1" };

const checksSchema = v.array(v.object({ name: v.string(), bucket: v.string() }));
const runsSchema = v.array(
  v.object({
    name: v.string(),
    status: v.string(),
    conclusion: v.nullish(v.string(), ""),
    url: v.optional(v.string()),
  }),
);

type CiCheck = PreparedCheck & { readonly spec: SpecOf<"ci"> };

/** All checks passed, and there is one. @throws VerifierError verifier.failed where the host said nothing usable */
export async function ciCheck(
  { fence, commands }: { readonly fence: Fence; readonly commands: CheckCommands },
  check: CiCheck,
  { signal, owner, timeoutS }: CheckRun,
): Promise<RawVerdict> {
  const { spec } = check;
  const repo = spec.repo ?? (await repoOf(fence, check));
  const argv: [string, ...string[]] =
    spec.pr === undefined
      ? ["gh", "-R", repo, "run", "list", "--branch", spec.branch ?? "", "--limit", "1", "--json", RUN_FIELDS]
      : ["gh", "-R", repo, "pr", "checks", String(spec.pr), "--json", "name,bucket"];
  const end = await commands.processes.run({
    ...{ kind: "check", owner, argv, cwd: OUTSIDE, separate: true, signal },
    ...{ env: { ...checkEnvironment(commands, fence), ...QUIET }, timeoutMs: timeoutS * 1_000 },
  });
  requireExit(end, timeoutS);
  const answered = jsonOf(end.output.text(MAX_CHARS));
  if (answered === undefined) {
    const said = end.errors.text(400).trim();
    if (/\bno checks reported\b/.test(said)) return { met: false, reason: "There are no checks yet.", evidence: said };
    throw failed(`gh ended with exit code ${end.code}: ${said}`);
  }
  return spec.pr === undefined ? ofRuns(answered) : ofChecks(answered);
}

const RUN_FIELDS = "name,status,conclusion,url";

async function repoOf(fence: Fence, { project, spec }: CiCheck): Promise<string> {
  await using where = await fence.open({ project, path: spec.cwd ?? ".", for: "run" });
  if (where.project.scmRepo === "") throw failed("the project names no repository any more");
  return where.project.scmRepo;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function ofChecks(answered: unknown): RawVerdict {
  const read = v.safeParse(checksSchema, answered);
  if (!read.success) throw failed("gh answered in a form that is not known");
  const checks = read.output;
  const open = checks.filter(({ bucket }) => bucket !== "pass" && bucket !== "skipping");
  const evidence = checks.map(({ name, bucket }) => `${bucket}: ${name}`).join("\n");
  const value = checks.map(({ name, bucket }) => [name, bucket]);
  if (checks.length === 0) return { met: false, reason: "There are no checks yet.", evidence, value };
  const pending = open.filter(({ bucket }) => bucket === "pending").length;
  const reason =
    open.length === 0
      ? `All ${checks.length} checks passed.`
      : `${open.length - pending} of ${checks.length} checks failed, ${pending} are pending.`;
  return { met: open.length === 0, reason, evidence, value };
}

function ofRuns(answered: unknown): RawVerdict {
  const read = v.safeParse(runsSchema, answered);
  if (!read.success) throw failed("gh answered in a form that is not known");
  const [run] = read.output;
  if (run === undefined) return { met: false, reason: "There is no run yet.", evidence: "", value: null };
  const { name, status, conclusion, url = "" } = run;
  const state = status === "completed" ? conclusion : status;
  const reason = `The latest run is ${state === "" ? "unknown" : state}.`;
  return { met: state === "success", reason, evidence: `${state}: ${name} ${url}`.trim(), value: [url, state] };
}
