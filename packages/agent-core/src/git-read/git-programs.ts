import type { ProcessEnd, ProcessRequest } from "../process/index.ts";
import { GitError } from "./git-error.ts";

/** What of `Processes` runs git. */
export interface GitPrograms {
  start(request: ProcessRequest): Promise<{
    readonly stdin: NodeJS.WritableStream | null;
    readonly ended: Promise<ProcessEnd>;
  }>;
}

export interface GitRun {
  readonly programs: GitPrograms;
  /** For whom, in the table of processes. */
  readonly owner: string;
  /** `PATH` and what else of the service's environment programs get. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly input?: Buffer;
  /** Of its output; what comes after ends it. */
  readonly maxBytes: number;
}

export interface GitOutput {
  readonly bytes: Buffer;
  /** There was more. */
  readonly cut: boolean;
  /** Null: a signal ended it. */
  readonly code: number | null;
  readonly errors: string;
}

/**
 * Variables for every git that is run: no settings of the user or the machine, no prompt, no pager, no lock that it can do without, no object
 * fetched by itself.
 */
export const QUIET_GIT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_PAGER: "cat",
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  GIT_EDITOR: "true",
  LC_ALL: "C",
} as const;

/** Runs git and collects what it writes. @throws GitError, and the signal's reason */
export async function runGit(run: GitRun): Promise<GitOutput> {
  const { programs, owner, environment, cwd, args, variables, signal, timeoutMs, input, maxBytes } = run;
  const chunks: Buffer[] = [];
  let length = 0;
  let cut = false;
  const tooMuch = new AbortController();
  const running = await programs
    .start({
      kind: "git",
      owner,
      argv: ["git", "--no-pager", ...args],
      cwd,
      env: { ...environment, ...QUIET_GIT, ...variables },
      timeoutMs,
      signal: AbortSignal.any([signal, tooMuch.signal]),
      separate: true,
      startsOthers: false,
      keptBytes: 4_096,
      ...(input === undefined ? {} : { stdin: "pipe" as const }),
      onOutput(chunk, stream) {
        if (stream !== "stdout" || cut) return;
        cut = length + chunk.length > maxBytes;
        const kept = cut ? chunk.subarray(0, maxBytes - length) : chunk;
        chunks.push(kept);
        length += kept.length;
        if (cut) tooMuch.abort();
      },
    })
    .catch((error: unknown) => {
      signal.throwIfAborted();
      const { code } = error as { readonly code?: unknown };
      if (code !== "process.not-started") throw error;
      throw new GitError("git.not-installed", "git cannot be started: it is not installed, or not on the PATH");
    });
  if (input !== undefined && running.stdin !== null) {
    running.stdin.on("error", () => {});
    running.stdin.end(input);
  }
  const { code, errors, timedOut } = await running.ended;
  signal.throwIfAborted();
  if (timedOut) throw new GitError("git.timeout", "git took too long");
  return { bytes: Buffer.concat(chunks, length), cut, code, errors: errors.text(2_000) };
}
