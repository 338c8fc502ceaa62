import { endOnCrash } from "./end-on-crash.ts";
import { endProcess } from "./end-process.ts";
import { errorDocument } from "./error-document.ts";
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

/** What a command prints: text for people, and the same as one value for programs. */
export interface Printed {
  /** Whole lines. */
  readonly text: string;
  readonly json: object;
}

/** The program behind the command line. Loaded only when needed, so that `--help` and usage errors answer at once. */
export interface Program {
  /** Resolves once the service answers. Rejects with `StartupError` for what an operator can fix. */
  startService(flags: Flags): Promise<StartedService>;
  /** Validates the configuration and marks setup as complete. */
  completeSetup(flags: Flags): Promise<Printed>;
  /** Lists where values come from; `key` as `config explain` takes it. */
  explainConfig(flags: Flags, key: string | undefined): Promise<Printed>;
  /** Milliseconds that running turns may take after a signal. Default 10,000. */
  readonly drainMs?: number;
}

/** The commands that use a running service. Loaded only when needed. */
export interface Client {
  /** Runs the command that the first argument names; resolves with the exit code. */
  runClient(args: readonly string[]): Promise<number>;
  /** The part of `--help` that lists the commands. */
  commandList(): Printed;
}

/**
 * The whole command: reads `args`, starts, runs until a signal, ends the process. A start that fails prints one line on
 * standard error, without a stack, and exits 1 (2 for a wrong command line); an unexpected error adds its stack.
 */
export async function runCommand(
  args: readonly string[],
  load: (flags: Flags) => Promise<Program>,
  loadClient: () => Promise<Client>,
): Promise<void> {
  try {
    process.exit(isForClient(args) ? await (await loadClient()).runClient(args) : await run(args, load, loadClient));
  } catch (error) {
    const known = error instanceof StartupError;
    const message = known ? error.message : `unexpected error while starting: ${stackOf(error)}`;
    const exitCode = known ? error.exitCode : 1;
    process.stderr.write(
      args.includes("--json")
        ? errorDocument({ code: known ? error.code : "internal", message, exitCode })
        : `agent-service: ${message}\n`,
    );
    process.exit(exitCode);
  }
}

/** Any command line that begins with a name, except `config explain`, which reads the files and needs no service. */
function isForClient([name = "", verb]: readonly string[]): boolean {
  return name !== "" && !name.startsWith("-") && !(name === "config" && verb === "explain");
}

async function run(
  args: readonly string[],
  load: (flags: Flags) => Promise<Program>,
  loadClient: () => Promise<Client>,
): Promise<number> {
  const flags = parseFlags(args);
  if (flags.help) {
    const { text, json } = (await loadClient()).commandList();
    const usage = helpText(text);
    return print(flags, { text: usage, json: { usage, ...json } });
  }
  if (flags.version) return print(flags, { text: `${packageVersion()}\n`, json: { version: packageVersion() } });
  const program = await load(flags);
  if (flags.explain !== undefined) return print(flags, await program.explainConfig(flags, flags.explain.key));
  if (flags.setup) return print(flags, await program.completeSetup(flags));
  // No signal handlers yet: a signal ends the process whatever the start waits for, also while no JavaScript runs.
  const service = await program.startService(flags);
  endOnCrash({ source: process, log: service.log, flush: () => service.flush(), exit: endProcess });
  // Signals are handled before the banner is printed: a reader of it may already send one.
  const ended = runUntilSignal(service, {
    signals: process,
    exit: endProcess,
    log: service.log,
    ...(program.drainMs === undefined ? {} : { drainMs: program.drainMs }),
  });
  if (service.banner !== "") process.stdout.write(service.banner);
  const code = await ended;
  await service.flush();
  // Work that failed or took too long may still be running.
  return code === 0 ? code : endProcess(code);
}

function print({ json: forPrograms }: Flags, { text, json }: Printed): number {
  process.stdout.write(forPrograms ? `${JSON.stringify(json)}\n` : text);
  return 0;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
