import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ProcessError } from "./process-error.ts";

/** What the system says, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program, or its folder is gone",
  EACCES: "it may not be executed",
  E2BIG: "its arguments are too long",
  EAGAIN: "the system allows no further process",
  ERR_INVALID_ARG_VALUE: "an argument holds a NUL character",
};

/** What a child is started with. */
export interface ChildStart {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: "none" | "pipe";
}

/** Starts it in a session, so a group, of its own (PR1). @throws ProcessError */
export async function startChild({ argv: [program, ...args], cwd, env, stdin }: ChildStart): Promise<ChildProcess> {
  const refused = (error: unknown): ProcessError => {
    const { code } = error as NodeJS.ErrnoException;
    return new ProcessError(
      "process.not-started",
      `${JSON.stringify(program)} was not started: ${REASONS[code ?? ""] ?? code ?? "refused"}.`,
      { cause: error },
    );
  };
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: [stdin === "pipe" ? "pipe" : "ignore", "pipe", "pipe"],
    });
  } catch (error) {
    throw refused(error);
  }
  if (child.pid === undefined) {
    const [error] = (await once(child, "error")) as [unknown];
    throw refused(error);
  }
  // Writing to a process that closed its input ends in its own error.
  child.stdin?.on("error", () => {});
  child.on("error", () => {});
  return child;
}
