/**
 * Evaluates JSONata in a process of its own: an expression that loops holds up only that, and one that fills the memory ends only
 * that. A thread would not do: the memory of one that is full ends the whole service.
 */
import { fileURLToPath } from "node:url";
import { type LongLivedProcess, type Processes, programFolders } from "../process/index.ts";
import {
  EXPRESSION_MS,
  type ExpressionJob,
  type ExpressionOutcome,
  type ExpressionReply,
  MAX_VALUE_CHARS,
} from "./expression-message.ts";
import { failed, invalid } from "./verifier-error.ts";

// Run from source the entry is `.ts`, built it is `.js`.
const FROM_SOURCE = import.meta.url.endsWith(".ts");
const ENTRY = fileURLToPath(new URL(FROM_SOURCE ? "./expression-child.ts" : "./expression-child.js", import.meta.url));
/** Mebibytes of its heap: a document of 10 MB as a value, and what an expression makes of it. */
const HEAP_MB = 256;
/** Milliseconds that a reply may take beyond the expression's own: reading a large document, on a busy machine. */
const LATE_MS = 4_000;
/**
 * Seconds of the processor after which the system ends it. Where the service is killed, nothing else would end one that loops
 * before the next start on the same store.
 */
const MOST_CPU_S = 60;
/** Milliseconds of the processor after which it is replaced, between two expressions. */
const REPLACED_CPU_MS = 30_000;
/** Milliseconds in which the process begins, on a machine that has more to do. */
const START_MS = 60_000;
/** Milliseconds without work after which the process is ended. */
const IDLE_MS = 120_000;
const MAX_WAITING = 1_000;

/** What an expression found. */
export interface Evaluated {
  readonly met: boolean;
  /** Its value as JSON, cut to what is kept. */
  readonly value: string;
}

interface Running {
  readonly process: LongLivedProcess;
  onReply: (reply: ExpressionReply) => void;
}

/** How a process of expressions is started; the system ends it after so many seconds of the processor. */
export function expressionCommand(cpuSeconds = MOST_CPU_S): readonly [string, ...string[]] {
  const argv: readonly [string, ...string[]] = [
    process.execPath,
    ...flags(programFolders(import.meta.url, ["jsonata"])),
    ENTRY,
  ];
  if (process.platform === "win32") return argv;
  return ["/bin/sh", "-c", `ulimit -t ${cpuSeconds}; exec "$0" "$@"`, ...argv];
}

/** One process for the expressions of a service, one after the other; started when it is needed. */
export class Expressions {
  readonly #processes: Pick<Processes, "startLongLived">;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #running: Running | undefined;
  #idle: NodeJS.Timeout | undefined;

  readonly #replacedAt: number;

  constructor(processes: Pick<Processes, "startLongLived">, replacedAt = REPLACED_CPU_MS) {
    this.#processes = processes;
    this.#replacedAt = replacedAt;
  }

  /** @throws VerifierError verifier.invalid where it is no expression */
  async require(expr: string): Promise<void> {
    const reply = await this.#ask({ expr }, undefined);
    if ("problem" in reply) throw invalid(reply.problem);
  }

  /** Evaluates it over a JSON text. @throws VerifierError verifier.failed @throws the reason of the signal */
  async evaluate(expr: string, input: string, signal: AbortSignal): Promise<Evaluated> {
    const reply = await this.#ask({ expr, input }, signal);
    if ("problem" in reply) throw failed(reply.problem);
    return reply;
  }

  /** Ends its process. */
  close(): void {
    this.#end();
  }

  #ask(job: ExpressionJob, signal: AbortSignal | undefined): Promise<ExpressionOutcome> {
    if (this.#waiting >= MAX_WAITING) return Promise.reject(failed("too many expressions wait already"));
    this.#waiting++;
    const done = this.#tail.then(async () => {
      signal?.throwIfAborted();
      return this.#run(job);
    });
    this.#tail = done.then(
      () => this.#waiting--,
      () => this.#waiting--,
    );
    return done;
  }

  async #run(job: ExpressionJob): Promise<ExpressionOutcome> {
    clearTimeout(this.#idle);
    try {
      this.#running ??= await this.#start();
      const running = this.#running;
      return await this.#replyOf(running, job);
    } finally {
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  async #start(): Promise<Running> {
    let running: Running | undefined;
    const begun = Promise.withResolvers<void>();
    const process = await this.#processes.startLongLived({
      owner: "expressions",
      argv: expressionCommand(),
      ...{ cwd: "/", env: {} },
      output: {
        maxLineBytes: 8 * MAX_VALUE_CHARS,
        onLine: (line) =>
          running === undefined ? begun.resolve() : running.onReply(JSON.parse(line.toString()) as ExpressionReply),
        onErrorLines: () => {},
      },
    });
    const notBegun = (): void => begun.reject(failed("the process of expressions did not begin"));
    const late = setTimeout(notBegun, START_MS);
    void process.ended.then(notBegun);
    try {
      await begun.promise;
    } catch (error) {
      void process.stop();
      throw error;
    } finally {
      clearTimeout(late);
    }
    running = { process, onReply: () => {} };
    return running;
  }

  /** What no reply comes of, its process does not outlive. */
  #replyOf(running: Running, job: ExpressionJob): Promise<ExpressionOutcome> {
    return new Promise((resolve) => {
      const end = (outcome: ExpressionOutcome): void => {
        clearTimeout(timer);
        running.onReply = () => {};
        resolve(outcome);
      };
      const giveUp = (why: string): void => {
        if (this.#running === running) this.#end();
        end({ problem: why });
      };
      const timer = setTimeout(() => giveUp("the expression takes too long"), EXPRESSION_MS + LATE_MS);
      running.onReply = ({ outcome, cpuMs }) => {
        if (cpuMs > this.#replacedAt && this.#running === running) this.#end();
        end(outcome);
      };
      void running.process.ended.then(() => giveUp("the expression needs too much memory"));
      running.process.write(`${JSON.stringify(job)}\n`).catch(() => giveUp("the expression needs too much memory"));
    });
  }

  #end(): void {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = undefined;
    void running?.process.stop();
  }
}

function flags(folders: readonly string[]): string[] {
  const heap = `--max-old-space-size=${HEAP_MB}`;
  return ["--permission", ...folders.map((folder) => `--allow-fs-read=${folder}`), heap, "--no-warnings"];
}
