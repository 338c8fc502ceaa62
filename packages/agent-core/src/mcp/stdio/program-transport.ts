/**
 * MCP over the standard streams of a program. The SDK's own transport starts no process group, so what a server starts is
 * left behind; it also joins what it reads anew for every piece of a message, and bounds neither a message nor what waits.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { type LongLivedEnd, type LongLivedProcess, ProcessError, type Processes } from "../../process/index.ts";
import { ConnectionError } from "../connection/index.ts";
import type { StdioTarget } from "../server-target.ts";
import { readMessage } from "./read-message.ts";

/** Bytes of a message; a longer one ends the connection (M9). */
export const MAX_LINE_BYTES = 10 * 1024 * 1024;

/** What a transport is made of. */
export interface ProgramTransportOptions {
  readonly processes: Pick<Processes, "startLongLived">;
  /** The server's name. */
  readonly server: string;
  /** Without placeholders; `env` is the whole of the program's environment: see `childEnvironment`. */
  readonly target: Pick<StdioTarget, "command" | "args" | "env" | "cwd">;
  readonly events: {
    /** A line that the program wrote to its standard error, or one about what it wrote that is no message. Not redacted. */
    onLog(line: string): void;
    /** The server broke a bound, or ended though it was not closed. Called before `onclose`. */
    onBroken(reason: string): void;
  };
}

function folderOf(cwd: string | undefined): string {
  if (cwd === undefined) return process.cwd();
  return cwd === "~" || cwd.startsWith("~/") ? join(homedir(), cwd.slice(2)) : cwd;
}

/** What to change where the program was not started. Names nothing of the command, which is shown where a server is tried. */
function startFailure(error: unknown): unknown {
  if (!(error instanceof ProcessError) || error.code !== "process.not-started") return error;
  const { code = "refused" } = (error.cause ?? {}) as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT:
      "no program of its `command` was found, or its folder is gone; install it, write its whole path, or mend `cwd`",
    EACCES: "its program may not be executed; give the service's user the right to",
  };
  return new ConnectionError("lost", reasons[code] ?? `its program was not started (${code}); mend \`command\``, {
    cause: error,
  });
}

function describeEnd({ code, signal, cause }: LongLivedEnd): string {
  if (cause === "line-too-long") return `it sent a message of more than ${MAX_LINE_BYTES / 1024 / 1024} MiB`;
  if (cause === "output-closed") return "it closed its output";
  return signal === null ? `the program ended with code ${code}` : `the program was ended by ${signal}`;
}

/** One program and its messages. Each is started once; for another try, also of the era, there is another transport. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #options: ProgramTransportOptions;
  readonly #closing = new AbortController();
  #program: LongLivedProcess | undefined;
  #starting: Promise<void> | undefined;
  #garbage = 0;
  #isClosed = false;

  constructor(options: ProgramTransportOptions) {
    this.#options = options;
  }

  /** Of the program while it runs. */
  get pid(): number | undefined {
    return this.#isClosed ? undefined : this.#program?.pid;
  }

  /** Lines that were no messages. */
  get garbage(): number {
    return this.#garbage;
  }

  /** @throws ProcessError where the program does not start */
  start(): Promise<void> {
    if (this.#starting !== undefined) return Promise.reject(new Error("The transport was started already."));
    this.#starting = this.#start();
    return this.#starting;
  }

  /** Resolves once the system has taken the message. @throws ConnectionError `not_sent`, `lost` */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#program === undefined || this.#closing.signal.aborted)
      throw new ConnectionError("not_sent", "the program does not run");
    try {
      await this.#program.write(`${JSON.stringify(message)}\n`);
    } catch (cause) {
      const { code, message: text } = cause as ProcessError;
      const isOver = code === "process.input-lost" || code === "process.ended";
      const reason = isOver ? "its program ended; its log has the reason" : text;
      throw new ConnectionError(code === "process.input-lost" ? "lost" : "not_sent", reason, { cause });
    }
  }

  /** Ends the program with all it started; resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#closing.abort(new ProcessError("process.ended", "The connection was closed."));
    await this.#starting?.catch(() => {});
    await this.#program?.stop();
    this.#closed();
  }

  async #start(): Promise<void> {
    const { processes, server, target, events } = this.#options;
    const starting = processes.startLongLived({
      owner: `mcp:${server}`,
      argv: [target.command, ...target.args],
      cwd: folderOf(target.cwd),
      env: target.env,
      signal: this.#closing.signal,
      output: {
        maxLineBytes: MAX_LINE_BYTES,
        onLine: (line) => this.#read(line),
        onErrorLines: (lines) => {
          for (const line of lines) events.onLog(line);
        },
      },
    });
    const program = await starting.catch((error: unknown) => {
      throw startFailure(error);
    });
    this.#program = program;
    void program.ended.then((end) => {
      if (end.cause !== "stopped") events.onBroken(describeEnd(end));
      this.#closed();
    });
  }

  #read(line: Buffer): void {
    if (this.#closing.signal.aborted) return;
    const content = readMessage(line);
    if (content.kind === "empty") return;
    if (content.kind === "garbage") {
      this.#noteGarbage(line);
      return;
    }
    if (content.kind === "refused") this.#options.events.onLog(`a message was refused: ${content.reason}`);
    if (content.message === undefined) return;
    try {
      this.onmessage?.(content.message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  /** Logs the first of them, and then ever fewer: a flood of them would take all places of the log. */
  #noteGarbage(line: Buffer): void {
    this.#garbage++;
    const isLogged = this.#garbage <= 3 || /^10*$/.test(String(this.#garbage));
    if (!isLogged) return;
    const beginning = line.subarray(0, 200).toString("utf8");
    this.#options.events.onLog(`line ${this.#garbage} that is no message: ${beginning}`);
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}
