/**
 * One run of a script: its process, its calls and its end. Calls come from the process and their outcomes go to it (SC1);
 * whatever else it writes ends it.
 */
import type { InnerCalls } from "@agent-service/plugin-sdk";
import type { Clock } from "../clock/index.ts";
import {
  MAX_FRAME_BYTES,
  MAX_PRINTED_CHARS,
  readFrame,
  type ScriptFrame,
  type ScriptResult,
  type ScriptStart,
} from "./script-frames.ts";
import type { ScriptProcess, StartScriptProcess } from "./script-process.ts";

/** Calls of one script that are made; each one more is answered with a refusal. */
const MOST_CALLS = 500;
/** Calls, refused ones among them, after which a script is ended. */
const MOST_ASKED = 2_000;

export interface ScriptRun {
  readonly start: ScriptStart;
  readonly calls: InnerCalls;
  readonly callId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly startProcess: StartScriptProcess;
}

/** How a run ended. `printed` is what it wrote until then. */
export type ScriptEnd =
  | { readonly kind: "done"; readonly printed: string; readonly value: string }
  | { readonly kind: "failed"; readonly printed: string; readonly reason: string }
  /** A call waits for a person; the script runs again from its top after the answer. */
  | { readonly kind: "waits" };

/**
 * Runs a script to its end; its calls have ended then. Never rejects. Waiting for a process does not count as its time.
 */
export async function runScript(run: ScriptRun): Promise<ScriptEnd> {
  const ended = Promise.withResolvers<ScriptEnd>();
  const own = new Run(run, ended.resolve);
  try {
    const { callId, timeoutMs, signal, start } = run;
    const process = await run.startProcess({
      ...{ callId, timeoutMs, signal },
      onOutput: (text) => own.take(text),
      onEnd: (noise) => own.ended(noise),
    });
    own.begin(process, start);
  } catch (error) {
    own.fail(`the script was not started: ${error instanceof Error ? error.message : "it was ended before"}`);
  }
  return ended.promise;
}

class Run {
  readonly #run: ScriptRun;
  readonly #resolve: (end: ScriptEnd) => void;
  #process: ScriptProcess | undefined;
  #end: ScriptEnd | undefined;
  #timer: { cancel(): void } | undefined;
  /** Output without a line end yet. */
  #rest = "";
  readonly #printed: string[] = [];
  #chars = 0;
  #asked = 0;
  /** Calls under way, by the script's numbers. */
  readonly #open = new Set<number>();
  /** What the script returned; undefined: it runs. */
  #value: string | undefined;

  constructor(run: ScriptRun, resolve: (end: ScriptEnd) => void) {
    this.#run = run;
    this.#resolve = resolve;
  }

  begin(process: ScriptProcess, start: ScriptStart): void {
    const { signal, clock, timeoutMs } = this.#run;
    this.#process = process;
    this.#timer = clock.setTimeout(() => {
      if (this.#value === undefined)
        this.fail(`the script was ended after ${timeoutMs / 1000} s (execute_code.timeout)`);
      else this.#done("[Calls that the script did not wait for were ended with its time.]");
    }, timeoutMs);
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
    process.write(JSON.stringify(start));
  }

  readonly #onAbort = (): void => this.fail("the script was ended with its call");

  get #listens(): boolean {
    return this.#end === undefined && this.#value === undefined;
  }

  take(chunk: string): void {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines) if (this.#listens) this.#takeLine(line);
    if (this.#listens && this.#rest.length > MAX_FRAME_BYTES) this.#noise();
  }

  #takeLine(line: string): void {
    const frame = line.length > MAX_FRAME_BYTES ? undefined : readFrame(line);
    switch (frame?.t) {
      case undefined:
        this.#noise();
        break;
      case "call":
        this.#call(frame);
        break;
      case "print":
        if (this.#chars < MAX_PRINTED_CHARS) this.#printed.push(frame.text);
        this.#chars += frame.text.length + 1;
        break;
      case "failed":
        this.fail(frame.text);
        break;
      case "done":
        // Calls that it did not wait for still end, within its time.
        this.#value = frame.text;
        this.#finish();
    }
  }

  #call({ id, name, args }: Extract<ScriptFrame, { t: "call" }>): void {
    const { start, calls } = this.#run;
    if (id !== this.#asked) {
      this.#noise();
      return;
    }
    if (++this.#asked > MOST_ASKED) {
      this.fail(`the script went on calling after its ${MOST_CALLS} calls, and was ended`);
      return;
    }
    this.#open.add(id);
    const refused = start.names.includes(name)
      ? id >= MOST_CALLS && `at most ${MOST_CALLS} calls can be made`
      : `there is no tool named ${name.slice(0, 64)} here`;
    if (refused !== false) {
      this.#answer({ id, ok: false, text: refused });
      return;
    }
    calls.call(name, args).then(
      (outcome) => {
        if (outcome.kind === "waits") this.#close({ kind: "waits" });
        else this.#answer({ id, ok: outcome.ok, text: outcome.ok ? outcome.text : errorText(outcome.text) });
      },
      // The turn has ended, and closes its calls.
      () => this.fail("the script was ended with its turn"),
    );
  }

  #answer(result: ScriptResult): void {
    this.#open.delete(result.id);
    if (this.#listens) this.#process?.write(JSON.stringify(result));
    else this.#finish();
  }

  #finish(): void {
    if (this.#open.size === 0) this.#done();
  }

  #done(note?: string): void {
    if (this.#value === undefined) return;
    const value = [this.#value, note].filter((text) => text !== undefined && text !== "").join("\n");
    this.#close({ kind: "done", printed: this.#printed.join("\n"), value });
  }

  #noise(): void {
    this.fail("the script's process said what no script can say, and was ended");
  }

  fail(reason: string): void {
    this.#close({ kind: "failed", printed: this.#printed.join("\n"), reason });
  }

  ended(noise: string): void {
    // It said its last; what it began goes on.
    if (this.#value !== undefined) return;
    this.fail(noise === "" ? "the script's process ended" : `the script's process ended: ${noise}`);
  }

  #close(end: ScriptEnd): void {
    this.#process?.end();
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#timer?.cancel();
    this.#run.signal.removeEventListener("abort", this.#onAbort);
    this.#resolve(end);
  }
}

/** In the script it is the message of an error. */
function errorText(text: string): string {
  return text.replace(/^Error: /, "");
}
