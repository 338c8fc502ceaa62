import { spawn } from "node:child_process";

/** What a finished process left behind. */
export interface Finished {
  /** The exit code; null when a signal ended it. */
  readonly code: number | null;
  /** Standard output and standard error, as they came. */
  readonly output: string;
}

/** Runs a program to its end without a shell and without standard input. Never rejects for a failing exit code. */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (chunk: string): void => {
      output += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
