import { type CommandIo, type ExitCode, runClientCommand } from "../client-commands/index.ts";
import type { Json } from "./index.ts";

export interface CommandInput {
  /** What a person types at each question; absent: a script runs it. */
  readonly answers?: readonly string[];
  readonly piped?: string;
  readonly env?: { readonly [name: string]: string };
  /** In place of a pause, which is none. */
  readonly pause?: () => Promise<void>;
}

export interface CommandOutput {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  readonly asked: readonly { readonly question: string; readonly hidden: boolean }[];
  /** What was printed, or the error where nothing was. */
  json(): Json;
}

/** Runs a command of the command line as a person at a terminal does where there are answers, else as a script. */
export async function runCommand(
  args: readonly string[],
  { answers, piped, env = {}, pause = async () => {} }: CommandInput,
): Promise<CommandOutput> {
  const out = { stdout: "", stderr: "" };
  const left = [...(answers ?? [])];
  const asked: { readonly question: string; readonly hidden: boolean }[] = [];
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      out[name] += text;
    },
    ...{ terminal: answers !== undefined, columns: 100 },
  });
  const io: CommandIo = {
    env: { NO_COLOR: "1", ...env },
    ...{ stdout: sink("stdout"), stderr: sink("stderr") },
    keyboard:
      answers &&
      (() => ({
        async ask(question, { hidden = false } = {}) {
          asked.push({ question, hidden });
          return left.shift();
        },
        ...{ listen: () => {}, close: () => {} },
      })),
    piped: piped === undefined ? undefined : async () => piped,
    ...{ onInterrupt: () => () => {}, pause, checkoutRoot: undefined },
  };
  const code = await runClientCommand(args, io);
  return { code, ...out, asked, json: () => JSON.parse(out.stdout || out.stderr) as Json };
}
