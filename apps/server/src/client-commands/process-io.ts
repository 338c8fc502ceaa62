import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { setTimeout as timer } from "node:timers/promises";
import { usage } from "./command-failure.ts";
import type { CommandIo, Keyboard, Sink } from "./command-io.ts";
import { EXIT } from "./exit-code.ts";

/** Maximum characters of standard input. */
const MAX_PIPED = 10 * 1024 * 1024;

export function processIo(env: CommandIo["env"], checkoutRoot: string | undefined): CommandIo {
  const { stdin, stdout } = process;
  // A reader may close the pipe, as `head` does: no error. A full disk is one.
  const lost = (): boolean => stdout.errored !== null && (stdout.errored as NodeJS.ErrnoException).code !== "EPIPE";
  stdout.on("error", () => process.exit(0));
  process.on("exit", () => {
    if (lost()) process.exitCode = EXIT.failed;
  });
  const stops = new Set<() => void>();
  const interrupted = (): void => {
    if (stops.size === 0) process.exit(EXIT.interrupted);
    for (const stop of stops) stop();
  };
  return {
    env,
    stdout: sinkOf(stdout),
    stderr: sinkOf(process.stderr),
    keyboard: stdin.isTTY && stdout.isTTY ? () => openKeyboard(interrupted) : undefined,
    piped: stdin.isTTY ? undefined : readPiped,
    lines: stdin.isTTY ? undefined : readLines,
    onInterrupt(stop) {
      if (stops.size === 0) process.on("SIGINT", interrupted);
      stops.add(stop);
      return () => {
        stops.delete(stop);
        if (stops.size === 0) process.off("SIGINT", interrupted);
      };
    },
    async pause(ms, signal) {
      try {
        await timer(ms, undefined, signal === undefined ? {} : { signal });
      } catch {
        // Aborted: the caller checks the signal.
      }
    },
    checkoutRoot,
  };
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  return {
    write: (text) => void stream.write(text),
    terminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 100;
    },
  };
}

async function readPiped(): Promise<string> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.length > MAX_PIPED) throw usage(`standard input holds more than ${MAX_PIPED} characters`);
  }
  return text;
}

async function* readLines(): AsyncIterable<string> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    const lines = (text + String(chunk)).split("\n");
    text = lines.pop() ?? "";
    yield* lines;
    if (text.length > MAX_PIPED) throw usage(`a line of standard input holds more than ${MAX_PIPED} characters`);
  }
  if (text !== "") yield text;
}

/** Lines of the terminal, one interface for all questions, so that no line is lost between two of them. */
function openKeyboard(interrupted: () => void): Keyboard {
  let hidden = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!hidden) process.stdout.write(chunk);
      done();
    },
  });
  const lines: Interface = createInterface({ input: process.stdin, output, terminal: true });
  let waiting: ((line: string | undefined) => void) | undefined;
  let listener: ((line: string) => void) | undefined;
  let ended = false;
  const give = (line: string | undefined): void => {
    const resolve = waiting;
    waiting = undefined;
    if (resolve !== undefined) resolve(line);
    else if (line !== undefined) listener?.(line);
  };
  lines.on("line", give);
  // In raw mode Ctrl-C is a key, not a signal.
  lines.on("SIGINT", interrupted);
  lines.on("close", () => {
    ended = true;
    give(undefined);
  });
  return {
    async ask(question, options = {}) {
      if (ended) return undefined;
      process.stdout.write(question);
      hidden = options.hidden === true;
      const line = await new Promise<string | undefined>((resolve) => {
        waiting = resolve;
      });
      if (hidden) process.stdout.write("\n");
      hidden = false;
      return line;
    },
    listen: (next) => {
      listener = next;
    },
    close: () => lines.close(),
  };
}
