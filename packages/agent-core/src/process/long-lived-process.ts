/** A program that runs until it is stopped, and is spoken to in lines. */
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { systemClock } from "../clock/index.ts";
import { endGroup, endMarked } from "./end-processes.ts";
import { ErrorLines } from "./error-lines.ts";
import { LineReader } from "./line-reader.ts";
import { ProcessError } from "./process-error.ts";
import type { ProcessTable } from "./process-table.ts";

/**
 * Why a long-lived program ended: by itself, because it was stopped, because one of its lines was too long, or because it
 * closed its output, after which it could answer nothing.
 */
export type LongLivedEndCause = "exit" | "stopped" | "line-too-long" | "output-closed";

/** How a long-lived program ended. */
export interface LongLivedEnd {
  /** Null: a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly cause: LongLivedEndCause;
}

/** Bytes that may wait for a program that does not read its input. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** Milliseconds between the end of a program and the end of its output: longer only where something else holds that open. */
const DRAIN_MS = 500;

/** What becomes of what a long-lived program writes. Nothing here may throw. */
export interface LongLivedOutput {
  /** Bytes of a line of its output; a longer one ends the program. */
  readonly maxLineBytes: number;
  /** Called with every line of its output, without the line end. */
  onLine(line: Buffer): void;
  /** Called with lines of its standard error; of a flood, with the last ones of every piece. Not redacted. */
  onErrorLines(lines: readonly string[]): void;
}

/** What a long-lived program is made of. */
export interface LongLivedProcessOptions {
  readonly child: ChildProcess;
  readonly pid: number;
  /** When it started, as the table of processes has it; undefined: not known. */
  readonly started: string | undefined;
  readonly marker: string;
  readonly table: ProcessTable;
  readonly graceMs: number;
  readonly output: LongLivedOutput;
}

/** A long-lived program that runs. */
export class LongLivedProcess {
  readonly pid: number;
  /** When it started, as the table of processes has it; undefined: not known. */
  readonly started: string | undefined;
  /** Resolves once nothing of it runs any more, and every line was handed over. */
  readonly ended: Promise<LongLivedEnd>;
  readonly #options: LongLivedProcessOptions;
  readonly #stdin: Writable;
  readonly #exit: Promise<readonly [number | null, NodeJS.Signals | null]>;
  #cause: LongLivedEndCause = "exit";
  #hasExited = false;
  #isEnding = false;

  constructor(options: LongLivedProcessOptions) {
    this.#options = options;
    this.pid = options.pid;
    this.started = options.started;
    this.#stdin = options.child.stdin!;
    this.#exit = new Promise((resolve) =>
      options.child.once("exit", (code, signal) => {
        this.#hasExited = true;
        resolve([code, signal]);
      }),
    );
    this.ended = this.#run();
  }

  /**
   * Gives it input; resolves once the system has taken it. What cannot wait any more is refused whole, so no message is cut.
   * @throws ProcessError `process.ended`, `process.input-full`, `process.input-lost`
   */
  write(text: string): Promise<void> {
    if (this.#hasExited || this.#isEnding || !this.#stdin.writable)
      return Promise.reject(new ProcessError("process.ended", "The program has ended."));
    // An empty queue takes any size: a message is not refused for being large.
    if (this.#stdin.writableLength > 0 && this.#stdin.writableLength + text.length > MAX_WAITING_BYTES) {
      const message = "The program does not read its input: too much waits for it.";
      return Promise.reject(new ProcessError("process.input-full", message));
    }
    return new Promise((resolve, reject) => {
      this.#stdin.write(text, (error) => {
        if (error == null) resolve();
        else reject(new ProcessError("process.input-lost", "The program ended before it had read its input."));
      });
    });
  }

  /** Closes its input; TERM to its group after the grace, KILL after another. Resolves with its end, when that is done. */
  stop(): Promise<LongLivedEnd> {
    this.#end("stopped");
    return this.ended;
  }

  #end(cause: Exclude<LongLivedEndCause, "exit">): void {
    if (this.#isEnding || this.#hasExited) return;
    this.#isEnding = true;
    this.#cause = cause;
    const { table, graceMs } = this.#options;
    // What it was not given yet would be given to it before its end.
    if (this.#stdin.writableLength > 0) this.#stdin.destroy();
    else this.#stdin.end();
    const timer = systemClock().setTimeout(() => void endGroup(table, this.pid, graceMs), graceMs);
    void this.#exit.then(() => timer.cancel());
  }

  async #run(): Promise<LongLivedEnd> {
    const { child, table, marker, graceMs } = this.#options;
    const read = this.#readOutput();
    const [code, signal] = await this.#exit;
    await endGroup(table, this.pid, graceMs);
    await endMarked(table, marker, { since: this.started, graceMs });
    this.#stdin.destroy();
    const timer = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, DRAIN_MS);
    await read;
    clearTimeout(timer);
    return { code, signal, cause: this.#cause };
  }

  /** Reads what it writes; resolves when both streams have ended. */
  async #readOutput(): Promise<void> {
    const { child, output } = this.#options;
    const errors = new ErrorLines(child.stderr!, (lines) => output.onErrorLines(lines));
    await new Promise<void>((resolve) => {
      new LineReader(child.stdout as Readable, {
        maxBytes: output.maxLineBytes,
        onLine: (line) => output.onLine(line),
        onTooLong: () => {
          this.#end("line-too-long");
          resolve();
        },
        onEnd: () => {
          // Before a program's own end its output ends.
          const timer = setTimeout(() => this.#end("output-closed"), DRAIN_MS);
          void this.#exit.then(() => clearTimeout(timer));
          resolve();
        },
      });
    });
    await errors.ended;
  }
}
