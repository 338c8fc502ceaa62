/**
 * The process a script runs in: this Node without rights and with an empty environment, in the system's sandbox where there
 * is one, under the rules of every program (PR1, PR2). What is in reach of a script is decided inside it; these are the walls
 * behind that wall.
 */
import { StringDecoder } from "node:string_decoder";
import { fileURLToPath } from "node:url";
import { type Processes, programFolders, type Sandbox, type SandboxPolicy } from "../process/index.ts";

// Run from source the entry is `.ts`, built it is `.js`.
const FROM_SOURCE = import.meta.url.endsWith(".ts");
const ENTRY = fileURLToPath(new URL(FROM_SOURCE ? "./script-child.ts" : "./script-child.js", import.meta.url));

/** Mebibytes of the process's own heap; the script's memory lies outside of it. */
const HEAP_MB = 64;
/**
 * Bytes of the machine's code that run until V8 optimizes a function of it, 15 times its default: what a short script
 * runs once would be optimized beside it, which takes a fifth of its time; one that computes for seconds is optimized.
 */
const TIERING_BUDGET = 200_000_000;
/** Bytes kept of what it writes: its words about a failure of its own. */
const KEPT_BYTES = 2048;
/** Milliseconds it may outlive its script's limit, after which its owner does not end it any more. */
const LATE_MS = 10_000;

/** A running process. */
export interface ScriptProcess {
  write(line: string): void;
  /** Ends it at once. */
  end(): void;
}

/** What is to run, and what it tells. */
export interface ScriptProcessOptions {
  readonly callId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onOutput(text: string): void;
  /** Once, when nothing of it runs any more. `noise` is what it wrote about a failure of its own. */
  onEnd(noise: string): void;
}

/** Waits for a place where too many scripts run. @throws ProcessError where it did not start, or the signal's reason */
export type StartScriptProcess = (options: ScriptProcessOptions) => Promise<ScriptProcess>;

/** No network, nothing to write to; its own program is there wherever it is installed. */
function policyOf(folders: readonly string[]): SandboxPolicy {
  return { writable: [], readOnly: [...folders, process.execPath], pinned: [], hidden: [], network: false };
}

export function scriptProcesses(processes: Processes, sandbox: () => Sandbox | undefined): StartScriptProcess {
  const folders = programFolders(import.meta.url, ["quickjs-emscripten-core", "@jitl/quickjs-wasmfile-release-sync"]);
  const policy = policyOf(folders);
  const flags = [
    "--permission",
    ...folders.map((folder) => `--allow-fs-read=${folder}`),
    `--max-old-space-size=${HEAP_MB}`,
    `--wasm-tiering-budget=${TIERING_BUDGET}`,
    "--no-warnings",
  ];
  return async ({ callId, timeoutMs, signal, onOutput, onEnd }) => {
    const decoder = new StringDecoder("utf8");
    const by = sandbox();
    const running = await processes.start({
      kind: "script",
      owner: `call:${callId}`,
      argv: [process.execPath, ...flags, ENTRY],
      cwd: "/",
      env: {},
      timeoutMs: timeoutMs + LATE_MS,
      signal,
      stdin: "pipe",
      separate: true,
      startsOthers: false,
      ...(by !== undefined && { sandbox: { by, policy } }),
      keptBytes: KEPT_BYTES,
      onOutput: (chunk, stream) => {
        if (stream === "stdout") onOutput(decoder.write(chunk));
      },
    });
    void running.ended.then(({ errors }) => onEnd(errors.text(KEPT_BYTES).trim().split("\n", 1)[0] ?? ""));
    return {
      write: (line) => void running.stdin?.write(`${line}\n`),
      end: () => running.kill(),
    };
  };
}
