/**
 * The tool `run_command`: a command of a project, seen by a person first unless settings say otherwise (F9 to F12, F15).
 */

import { constants, realpathSync } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import {
  type AnyTool,
  type ApprovalRequest,
  defineTool,
  OutcomeUnknownError,
  type ToolContext,
  type ToolPreview,
} from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { splitCommand } from "../command-approval/index.ts";
import type { Located } from "../fence/index.ts";
import { clamped, fileArguments, OF_FILES, projectArgument } from "../filesystem/index.ts";
import { type ProcessEnd, processEnvironment, type SandboxPolicy } from "../process/index.ts";
import type { Commands } from "./commands.ts";
import { removeRedirections } from "./git-guards.ts";
import { sandboxPolicy } from "./sandbox-policy.ts";

/** Characters of the output that the model reads: its beginning and its end (PR4). */
const OUTPUT_CHARS = 30_000;
const MAX_SECONDS = 600;
/** Milliseconds between signs of life of a call that waits or runs. */
const ALIVE_MS = 60_000;

const input = fileArguments({
  command: v.pipe(v.string(), v.minLength(1), v.maxLength(32_768), v.description("One line; a shell only if needed.")),
  project: projectArgument,
  cwd: v.optional(v.pipe(v.string(), v.description("Folder in the project.")), "."),
  timeout: v.optional(v.pipe(clamped(1, MAX_SECONDS), v.description("Seconds.")), 120),
});

type CommandInput = v.InferOutput<typeof input>;

/** What is executed: the tokens, or the text through a shell. */
interface Invocation {
  readonly argv: readonly [string, ...string[]];
  readonly shell: boolean;
}

function invocationOf(command: string): Invocation {
  const argv = splitCommand(command);
  return argv === undefined ? { argv: ["/bin/sh", "-c", command], shell: true } : { argv, shell: false };
}

/** `run_command(command, project?, cwd='.', timeout=120)`. */
export function runCommand(commands: Commands): AnyTool {
  return defineTool<CommandInput>({
    name: "run_command",
    description: "Run a command in a project, without a terminal and without input. What it leaves running is ended.",
    input,
    effect: "effect",
    timeoutMs: null,
    ...OF_FILES,
    content: "outside",
    present: { asks: "Run {command}?", doing: "Running {command}", done: "Ran {command}" },
    approval: (given, context) => approvalOf(commands, given, context),
    preview: (given, context) => previewOf(commands, given, context),
    run: (given, context) => run(commands, given, context),
  });
}

/** Why it may run without a person; undefined: a person decides. */
function allowedBy(commands: Commands, { command }: CommandInput, { caller }: ToolContext): string | undefined {
  // Content from outside may have written the command, and the turn is unattended.
  if (caller.unattended && caller.tainted) return undefined;
  const entry = commands.approval().match(command)?.entry;
  return entry === undefined || isOfProject(commands, entry) ? undefined : entry;
}

/** Whether a program that an entry names by its path lies in a project, also behind links: the agent could have written it. */
function isOfProject({ fence }: Commands, entry: string): boolean {
  const [program = ""] = splitCommand(entry) ?? [];
  if (!isAbsolute(program)) return false;
  let real = program;
  try {
    real = realpathSync(program);
  } catch {
    // There is none: it is compared as it is written.
  }
  const roots = fence.projects.all.flatMap(({ root, path }) => [path, ...(root === undefined ? [] : [root])]);
  return [program, real].some((path) => roots.some((root) => `${path}/`.startsWith(`${root}/`)));
}

async function approvalOf(
  commands: Commands,
  given: CommandInput,
  context: ToolContext,
): Promise<ApprovalRequest | undefined> {
  if (!commands.settings().run_requires_approval) return undefined;
  const entry = allowedBy(commands, given, context);
  const request = { title: `Run ${given.command}?`, detail: await detailOf(commands, given), bypassable: true };
  return entry === undefined ? request : { ...request, allowedBy: entry };
}

async function detailOf(commands: Commands, given: CommandInput): Promise<string> {
  const { argv, shell, project, cwd, network, sandbox, env, timeout, note } = await describe(commands, given, true);
  return [
    shell ? "Through a shell (/bin/sh), which reads all of its signs." : `Without a shell: ${JSON.stringify(argv)}`,
    `In ${cwd}${project === "" ? "" : ` of the project ${project}`}, for ${timeout} s at most.`,
    sandbox === null
      ? "Without a sandbox: it can do whatever the user of the service can, outside of the project too."
      : `In a sandbox (${sandbox}) ${network ? "with" : "without"} network.`,
    ...(note === undefined ? [] : [note]),
    ...(env.length === 0 ? [] : [`Variables passed on: ${env.join(", ")}.`]),
  ].join("\n");
}

async function previewOf(commands: Commands, given: CommandInput, context: ToolContext): Promise<ToolPreview> {
  const seen = allowedBy(commands, given, context) === undefined && !context.caller.bypass;
  return { kind: "command", ...(await describe(commands, given, seen)) };
}

interface Described {
  readonly argv: readonly string[];
  readonly shell: boolean;
  readonly project: string;
  readonly cwd: string;
  readonly network: boolean;
  readonly sandbox: string | null;
  readonly env: readonly string[];
  readonly timeout: number;
  readonly note?: string;
}

/** What a person is shown. A folder that is refused is shown as it was given: the call is refused when it runs. */
async function describe(commands: Commands, given: CommandInput, seen: boolean): Promise<Described> {
  const { command, project, cwd, timeout } = given;
  const where = await commands.fence.open({ project, path: cwd, for: "run" }).catch(() => undefined);
  await where?.close();
  const { network, by, note } = commands.confinement(seen);
  return {
    ...invocationOf(command),
    project: where?.named.name ?? project,
    cwd: where === undefined ? cwd : where.path || ".",
    ...{ network, sandbox: by?.provider ?? null, env: commands.settings().run_env, timeout },
    ...(note !== undefined && { note }),
  };
}

async function run(commands: Commands, given: CommandInput, context: ToolContext): Promise<string> {
  const { command, project, cwd, timeout } = given;
  const settings = commands.settings();
  const entry = settings.run_requires_approval ? allowedBy(commands, given, context) : undefined;
  // What settings allow, and what a turn waives, counts as unseen even where a person did look.
  const seen = settings.run_requires_approval && entry === undefined && !context.caller.bypass;
  const where = await commands.fence.open({ project, path: cwd, for: "run" });
  try {
    const { end, note } = await start(commands, { ...invocationOf(command), where, seen, timeout }, context);
    return resultOf(end, timeout, note);
  } finally {
    await where.close();
  }
}

interface Starting extends Invocation {
  readonly where: Located;
  readonly seen: boolean;
  readonly timeout: number;
}

async function start(
  commands: Commands,
  { argv, shell, where, seen, timeout }: Starting,
  { callId, taskId, caller, signal, progress }: ToolContext,
): Promise<{ readonly end: ProcessEnd; readonly note: string | undefined }> {
  const { fence, clock, processes } = commands;
  const roots = fence.projects.all.flatMap(({ root, path }) => [path, ...(root === undefined ? [] : [root])]);
  const { run_env: pass } = commands.settings();
  const own = processEnvironment({ inherited: commands.inherited, writable: roots, pass });
  const env: Record<string, string> = seen ? own : { ...own, ...UNSEEN };
  if (!shell) await findProgram(argv[0], own.PATH ?? "");
  const { by, network } = commands.confinement(seen);
  const { userHome } = commands;
  const policy = by && (await sandboxPolicy({ fence, project: where.named, userHome, network, seen }));
  // From now on its output can be asked for: noting what is there takes its time.
  const sink = commands.begin({ task: taskId, call: callId });
  let closing: Promise<void> | undefined;
  // Before git looks at what is different.
  const over = (): Promise<void> =>
    (closing ??= sink.close().then(() => removeRedirectionsOf(callId, policy, commands)));
  let beat = clock.setTimeout(
    function alive() {
      progress();
      beat = clock.setTimeout(alive, ALIVE_MS, { background: true });
    },
    ALIVE_MS,
    { background: true },
  );
  try {
    const owner = { task: taskId, call: callId, class: caller.class };
    // What can change nothing of the project is not noted.
    const isReadOnly = policy?.writable.length === 0;
    const noted = isReadOnly ? undefined : await commands.changes.begin({ owner, project: where.named, signal });
    try {
      const end = await processes.run({
        ...{ kind: "command", owner: `call:${callId}`, argv, env, signal, timeoutMs: timeout * 1_000 },
        cwd: where.here,
        ...(by && policy && { sandbox: { by, policy, cwd: where.absolute } }),
        onOutput: (chunk) => sink.add(chunk),
      });
      await over();
      return { end, note: await noted?.end() };
    } catch (error) {
      await over();
      await noted?.end();
      throw error;
    }
  } finally {
    beat.cancel();
    await over();
  }
}

/** Takes away by what a command made git look for settings elsewhere. */
async function removeRedirectionsOf(
  callId: string,
  policy: SandboxPolicy | undefined,
  { log }: Commands,
): Promise<void> {
  const removed = await removeRedirections(policy?.pinned ?? []);
  if (removed.length > 0) log.warn(`call ${callId} named other settings for git in ${removed.join(", ")}: removed`);
}

/**
 * For git, in a command that no person approved: a repository's settings start no program of these, and a folder that only
 * looks like a repository, which file tools and clones can make, is none.
 */
const UNSEEN = {
  GIT_CONFIG_COUNT: "5",
  ...{ GIT_CONFIG_KEY_0: "core.fsmonitor", GIT_CONFIG_VALUE_0: "false" },
  ...{ GIT_CONFIG_KEY_1: "core.hooksPath", GIT_CONFIG_VALUE_1: "/dev/null" },
  ...{ GIT_CONFIG_KEY_2: "core.pager", GIT_CONFIG_VALUE_2: "cat" },
  ...{ GIT_CONFIG_KEY_3: "safe.bareRepository", GIT_CONFIG_VALUE_3: "explicit" },
  ...{ GIT_CONFIG_KEY_4: "log.showSignature", GIT_CONFIG_VALUE_4: "false" },
  GIT_TERMINAL_PROMPT: "0",
};

/** @throws Error for a name that is no program of the cleaned path */
async function findProgram(program: string, path: string): Promise<void> {
  if (program.includes("/")) return;
  const looks = path.split(delimiter).map(async (folder) => {
    if (!isAbsolute(folder)) return false;
    return access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
  });
  const found = (await Promise.all(looks)).includes(true);
  if (!found) {
    throw new Error(
      `there is no program ${JSON.stringify(program)} on the PATH outside of the projects. Shell words such as cd need a shell sign (cd x && …); a program of the project is named by its path (./x).`,
    );
  }
}

/** What the model reads (F11). @throws where it did not end well */
function resultOf(end: ProcessEnd, timeout: number, note: string | undefined): string {
  const output = end.output.text(OUTPUT_CHARS);
  const seconds = `${(end.durationMs / 1_000).toFixed(1)} s`;
  const said = `\n${output === "" ? "(no output)" : output}${note === undefined ? "" : `\n[${note}]`}`;
  if (end.timedOut) throw new OutcomeUnknownError(`it was ended after its ${timeout} s.${said}`);
  if (end.cause !== "exit") throw new OutcomeUnknownError(`it was ended after ${seconds}.${said}`);
  if (end.signal !== null) throw new OutcomeUnknownError(`signal ${end.signal} ended it after ${seconds}.${said}`);
  const text = `exit ${end.code}, ${seconds}${said}`;
  if (end.code !== 0) throw new Error(text);
  return text;
}
