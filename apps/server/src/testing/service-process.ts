import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TemporaryFolders, temporaryFolders, type Wire, wireTo } from "./index.ts";

export interface ServiceProcessOptions {
  /** After the program's name. Default: `--port 0`. */
  readonly args?: readonly string[];
  /** Beside `SVC_HOME`, `SVC_CONFIG_DIR` and `SVC_MODEL=scripted:demo`; an empty value takes one of those away. */
  readonly env?: { readonly [name: string]: string };
  readonly folders?: TemporaryFolders;
  /** Working directory. Default: the folder both folders lie in. */
  readonly cwd?: string;
  /** Milliseconds that running turns may take after a signal; all else is the service's own program. */
  readonly drainMs?: number;
}

export interface ProcessEnd {
  /** Exit code, or the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServiceProcess extends AsyncDisposable {
  readonly folders: TemporaryFolders;
  readonly pid: number;
  /** Resolves with the base address once the banner is printed; rejects when the process ends before. */
  readonly ready: Promise<string>;
  readonly ended: Promise<ProcessEnd>;
  /** Resolves once standard output or error holds the text. */
  prints(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Waits until it answers, and speaks A2A with it. */
  wire(headers?: { readonly [name: string]: string }): Promise<Wire>;
}

/**
 * Set by whoever built the working tree a moment ago, as `pnpm test` does: the built command is started then, which is what
 * people start, and takes less than half of the processor time that its sources take.
 */
const BUILT_COMMAND_VARIABLE = "TEST_BUILT_COMMAND";
const FROM_SOURCE = "--conditions=@agent-service/source";

/** Node's arguments that start the command: its sources, or what is built of them where that was just done. */
export function commandArguments(): string[] {
  if (process.env[BUILT_COMMAND_VARIABLE] === "1")
    return [fileURLToPath(new URL("../../dist/main.js", import.meta.url))];
  return [FROM_SOURCE, fileURLToPath(new URL("../main.ts", import.meta.url))];
}

/** The command, or the same from its sources with another drain time. */
function programOf({ drainMs }: ServiceProcessOptions): string[] {
  if (drainMs === undefined) return commandArguments();
  const [command, program, compose] = ["../cli/index.ts", "../process/index.ts", "../compose.ts"].map(
    (path) => new URL(path, import.meta.url).href,
  );
  const source = `
    import { runCommand } from "${command}";
    import { programOver } from "${program}";
    const load = async () => ({ ...programOver(() => import("${compose}")), drainMs: ${drainMs} });
    await runCommand(process.argv.slice(1), load);`;
  return [FROM_SOURCE, "--input-type=module", "--eval", source, "--"];
}

/** Starts the real program as a child process. Disposing of it ends it with SIGKILL. */
export function startServiceProcess(options: ServiceProcessOptions = {}): ServiceProcess {
  const folders = options.folders ?? temporaryFolders();
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [...programOf(options), ...(options.args ?? ["--port", "0"])], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: options.cwd ?? folders.root,
    env: {
      ...{ PATH, HOME, TMPDIR },
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), "agent-service-compiled"),
      SVC_HOME: folders.home,
      SVC_CONFIG_DIR: folders.config,
      SVC_MODEL: "scripted:demo",
      ...options.env,
    },
  });
  const out = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      out[name] += chunk;
      for (const look of watchers) look();
    });
  }
  const ended = once(child, "close").then(([code, signal]): ProcessEnd => ({ code: code ?? signal, ...out }));

  /** Waits until `find` finds something in the output. */
  function printed<T>(find: () => T | undefined, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      look();
      void ended.then((end) => reject(new Error(`ended without ${what}: ${JSON.stringify(end)}`)));
    });
  }
  const ready = printed(() => /^ {2}A2A +(http:\S+)\/a2a /m.exec(out.stdout)?.[1], "a banner");
  // A test that expects the process to end never awaits it.
  ready.catch(() => {});

  return {
    folders,
    pid: child.pid ?? 0,
    ready,
    ended,
    prints: (text) => printed(() => ((out.stdout + out.stderr).includes(text) ? true : undefined), text).then(() => {}),
    signal: (name) => void child.kill(name),
    wire: async (headers) => wireTo(await ready, headers),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
      if (options.folders === undefined) folders.remove();
    },
  };
}
