/** One started program with its group, from its start to the moment nothing of it is left. */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { Clock, Timer } from "../clock/index.ts";
import { CapturedOutput } from "./captured-output.ts";
import { endGroup, endMarked, sendSignal } from "./end-processes.ts";
import type { ProcessTable } from "./process-table.ts";

/** Why a process ended: by itself, or because it was ended. */
export type EndCause = "exit" | "timeout" | "aborted" | "stopped";

/** How a process ended. */
export interface ProcessEnd {
  /** Null: a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly cause: EndCause;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** What it wrote: both streams in the order they were read, or the first alone where `separate` was asked for. */
  readonly output: CapturedOutput;
  /** Its second stream, where `separate` was asked for. */
  readonly errors: CapturedOutput;
}

/** Which of its streams a process wrote to. */
export type OutputStream = "stdout" | "stderr";

/** Milliseconds that output may come after the end: longer only where something that left the group holds it open. */
const DRAIN_MS = 500;
/** Bytes read at full speed; then a process waits after every mebibyte, so that a flood takes a small part of the loop. */
const FULL_SPEED_BYTES = 8 * 1024 * 1024;
const BRAKE_EVERY_BYTES = 1024 * 1024;
const BRAKE_MS = 20;

function signalOfCode(code: number | null, signal: NodeJS.Signals | null): Pick<ProcessEnd, "code" | "signal"> {
  const named = Object.entries(constants.signals).find(([, number]) => code === 128 + number);
  return named === undefined ? { code, signal } : { code: null, signal: named[0] as NodeJS.Signals };
}

/** What a running process is made of. */
export interface RunningProcessOptions {
  readonly child: ChildProcess;
  readonly pid: number;
  /** When it started, as the table of processes has it; undefined: not known. */
  readonly started: string | undefined;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly timeoutMs: number;
  readonly graceMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly separate: boolean;
  readonly keptBytes?: number | undefined;
  readonly onOutput?: ((chunk: Buffer, stream: OutputStream) => void) | undefined;
  /** Its marker, where something may have left its group that the system does not itself end. */
  readonly marker: string | undefined;
  /** Whether it reports the signal that ended what it ran as the code 128 and the signal's number. */
  readonly signalsAsCodes: boolean;
}

/** A process that runs. */
export class RunningProcess {
  readonly pid: number;
  /** When it started, as the table of processes has it; undefined: not known. */
  readonly started: string | undefined;
  /** Resolves once nothing of it runs any more. */
  readonly ended: Promise<ProcessEnd>;
  readonly #options: RunningProcessOptions;
  readonly #output: CapturedOutput;
  readonly #errors: CapturedOutput;
  #cause: EndCause = "exit";
  #exited = false;
  #untilBrake = FULL_SPEED_BYTES;

  constructor(options: RunningProcessOptions) {
    this.#options = options;
    this.pid = options.pid;
    this.started = options.started;
    this.#output = new CapturedOutput(options.keptBytes);
    this.#errors = new CapturedOutput(options.keptBytes);
    this.ended = this.#run();
  }

  /** Its input, where `stdin: "pipe"` was asked for. */
  get stdin(): Writable | null {
    return this.#options.child.stdin;
  }

  /** Ends its group; `ended` resolves when that is done. */
  end(cause: Exclude<EndCause, "exit"> = "aborted"): void {
    if (this.#exited) return;
    if (this.#cause === "exit") this.#cause = cause;
    void this.#endGroup();
  }

  /** Ends its group at once, for a process that has no time left. */
  kill(): void {
    sendSignal(-this.pid, "SIGKILL");
  }

  async #run(): Promise<ProcessEnd> {
    const { child, clock, timeoutMs, signal } = this.#options;
    const startedAt = performance.now();
    const timer: Timer = clock.setTimeout(() => this.end("timeout"), timeoutMs);
    const aborted = (): void => this.end("aborted");
    signal?.addEventListener("abort", aborted, { once: true });
    if (signal?.aborted === true) aborted();
    const closed = this.#readOutput();
    const [code, exitSignal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      child.once("exit", (exitCode, ending) => resolve([exitCode, ending]));
    });
    this.#exited = true;
    const durationMs = performance.now() - startedAt;
    timer.cancel();
    signal?.removeEventListener("abort", aborted);
    await this.#endGroup();
    await this.#endLeavers();
    await closed();
    const [cause, output, errors] = [this.#cause, this.#output, this.#errors];
    const how = this.#options.signalsAsCodes ? signalOfCode(code, exitSignal) : { code, signal: exitSignal };
    return { ...how, cause, timedOut: cause === "timeout", durationMs, output, errors };
  }

  /** Reads what it writes; the function resolves when both streams have ended, or are given up. */
  #readOutput(): () => Promise<void> {
    const { child, separate, onOutput } = this.#options;
    const streams = [child.stdout, child.stderr].filter((stream): stream is Readable => stream !== null);
    for (const stream of streams) {
      const name: OutputStream = stream === child.stdout ? "stdout" : "stderr";
      const kept = separate && name === "stderr" ? this.#errors : this.#output;
      stream.on("data", (chunk: Buffer) => {
        kept.add(chunk);
        onOutput?.(chunk, name);
        this.#brake(chunk.length, streams);
      });
      stream.on("error", () => {});
    }
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    return async () => {
      const timer = setTimeout(() => {
        for (const stream of streams) stream.destroy();
      }, DRAIN_MS);
      await closed;
      clearTimeout(timer);
    };
  }

  #brake(bytes: number, streams: readonly Readable[]): void {
    this.#untilBrake -= bytes;
    if (this.#untilBrake > 0 || this.#exited) return;
    this.#untilBrake = BRAKE_EVERY_BYTES;
    for (const stream of streams) stream.pause();
    setTimeout(() => {
      for (const stream of streams) stream.resume();
    }, BRAKE_MS);
  }

  #endGroup(): Promise<void> {
    const { table, graceMs } = this.#options;
    return endGroup(table, this.pid, graceMs);
  }

  /** PR1 for what left the group. */
  async #endLeavers(): Promise<void> {
    const { table, marker, graceMs } = this.#options;
    if (marker !== undefined) await endMarked(table, marker, { since: this.started, graceMs });
  }
}
