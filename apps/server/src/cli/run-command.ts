import { endOnCrash } from "./end-on-crash.ts";
import { endProcess } from "./end-process.ts";
import { helpText } from "./help-text.ts";
import { type Flags, parseFlags } from "./parse-flags.ts";
import { type RunningService, runUntilSignal } from "./run-until-signal.ts";
import { packageVersion } from "./server-package.ts";
import { StartupError } from "./startup-error.ts";

/** A service that was started from the command line. */
export interface StartedService extends RunningService {
  /** Printed once to standard output; empty prints nothing (JSON logs keep standard output to themselves). */
  readonly banner: string;
  readonly log: {
    info(message: string): void;
    error(fields: Readonly<Record<string, unknown>>, message: string): void;
  };
  /** Writes out what the log still holds. */
  flush(): Promise<void>;
}

/** What the command line starts. Loaded only when needed, so that `--help` and a typing mistake answer at once. */
export interface Program {
  /** Resolves once the service answers. Rejects with `StartupError` for what its operator can do something about. */
  startService(flags: Flags): Promise<StartedService>;
  /** Validates the configuration and marks setup as complete; resolves with the line to print. */
  completeSetup(flags: Flags): Promise<string>;
  /** Resolves with the lines that say where values come from; `key` as `config explain` takes it. */
  explainConfig(flags: Flags, key: string | undefined): Promise<string>;
  /** What running turns get at a signal, in milliseconds. Default 10,000. */
  readonly drainMs?: number;
}

/** What talks to a service that runs. Loaded only when needed. */
export interface Client {
  /** Runs the command that the first argument names; resolves with the exit code. */
  runClient(args: readonly string[]): Promise<number>;
  /** The part of `--help` that lists the commands. */
  commandList(): string;
}

/**
 * The whole command: reads `args`, starts, runs until a signal, ends the process. A start that fails prints one line on
 * standard error, without a stack, and exits 1 (2 for a wrong command line); an error nobody designed adds its stack.
 */
export async function runCommand(
  args: readonly string[],
  load: () => Promise<Program>,
  loadClient: () => Promise<Client>,
): Promise<void> {
  try {
    process.exit(isForClient(args) ? await (await loadClient()).runClient(args) : await run(args, load, loadClient));
  } catch (error) {
    const known = error instanceof StartupError;
    process.stderr.write(
      `agent-service: ${known ? error.message : `unexpected error while starting: ${stackOf(error)}`}\n`,
    );
    process.exit(known ? error.exitCode : 1);
  }
}

/** Whatever begins with a word, except `config explain`, which reads the files and needs no service. */
function isForClient([name = "", verb]: readonly string[]): boolean {
  return name !== "" && !name.startsWith("-") && !(name === "config" && verb === "explain");
}

async function run(
  args: readonly string[],
  load: () => Promise<Program>,
  loadClient: () => Promise<Client>,
): Promise<number> {
  const flags = parseFlags(args);
  if (flags.help) {
    process.stdout.write(helpText((await loadClient()).commandList()));
    return 0;
  }
  if (flags.version) {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const program = await load();
  if (flags.explain !== undefined) {
    process.stdout.write(await program.explainConfig(flags, flags.explain.key));
    return 0;
  }
  if (flags.setup) {
    process.stdout.write(`${await program.completeSetup(flags)}\n`);
    return 0;
  }
  // Nobody listens for signals yet: one ends the process whatever the start waits for, also where no JavaScript runs.
  const service = await program.startService(flags);
  endOnCrash({ source: process, log: service.log, flush: () => service.flush(), exit: endProcess });
  // Listening for signals before the banner: whoever reads it may already send one.
  const ended = runUntilSignal(service, {
    signals: process,
    exit: endProcess,
    log: service.log,
    ...(program.drainMs === undefined ? {} : { drainMs: program.drainMs }),
  });
  if (service.banner !== "") process.stdout.write(service.banner);
  const code = await ended;
  await service.flush();
  // What failed or took too long may still be under way.
  return code === 0 ? code : endProcess(code);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
