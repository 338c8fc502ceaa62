/**
 * The programs that the agent starts.
 *
 * Invariants
 *  PR1  A process has a group of its own, no terminal and, unless a pipe is asked for, an empty input. Its end, a cancel, a
 *       timeout and the stop of the service end all of the group: TERM, 2 s, KILL. What the main process leaves is ended.
 *  PR2  Every one carries a marker with the store's uid in its environment, and is in `process_run` once it runs for 50 ms:
 *       a later start of the service finds what an earlier one left by both, and ends it before any call is decided.
 *  PR3  Its environment is what the caller names, made by `processEnvironment`.
 *  PR4  Output is counted while it is read; what is kept of it is bounded, and a flood is slowed down.
 *  PR5  A program that runs until it is stopped has its row before its first input. It is ended by closing its input; 2 s
 *       later by TERM, and so on as in PR1.
 */
import type { Clock } from "../clock/index.ts";
import { type Database, readInstanceUid } from "../database/index.ts";
import type { EngineLog } from "../log/index.ts";
import { endProcesses, TERM_GRACE_MS } from "./end-processes.ts";
import { type LongLivedOutput, LongLivedProcess } from "./long-lived-process.ts";
import { ProcessError } from "./process-error.ts";
import { AT_ONCE, type ProcessKind, ProcessQueue } from "./process-queue.ts";
import { ProcessStore } from "./process-store.ts";
import { MARKER, type ProcessTable, systemProcesses } from "./process-table.ts";
import { type OutputStream, type ProcessEnd, RunningProcess } from "./running-process.ts";
import type { Sandbox, SandboxPolicy } from "./sandbox/index.ts";
import { startChild } from "./start-child.ts";

/** Milliseconds until a process has its row: most have ended by then, and a row costs two forced writes. */
const NOTE_AFTER_MS = 50;

/** A program to start. */
export interface ProcessRequest {
  /** Chooses the bound that it counts against. */
  readonly kind: ProcessKind;
  /** For whom it runs, for example `call:<id>`. */
  readonly owner: string;
  /** The program, found in `env.PATH` unless it is a path, and its arguments. No shell reads them. */
  readonly argv: readonly [string, ...string[]];
  /** An absolute path; on Linux `/proc/self/fd/<n>` names an open folder whatever its path became. */
  readonly cwd: string;
  /** The whole of its environment, but for the marker. */
  readonly env: Readonly<Record<string, string>>;
  /** From its start on: waiting for a place does not count. */
  readonly timeoutMs: number;
  /** Aborted: it is ended, or does not start. */
  readonly signal?: AbortSignal;
  /** False: it starts no other program, so nothing can have left its group. Default true. */
  readonly startsOthers?: boolean;
  /** Default `none`: empty. */
  readonly stdin?: "none" | "pipe";
  /** Keep what it writes to its second stream apart. Default false. */
  readonly separate?: boolean;
  /** Bytes kept of the beginning of its output, and as many of the end. Default 60,000. */
  readonly keptBytes?: number;
  /** Runs it in a sandbox. */
  readonly sandbox?: {
    readonly by: Sandbox;
    readonly policy: SandboxPolicy;
    /** The folder as the program finds it. Default: `cwd`. */
    readonly cwd?: string;
  };
  /** Called with every piece of output as it comes; must not throw. */
  onOutput?(chunk: Buffer, stream: OutputStream): void;
}

/** A program to start that runs until it is stopped, and is spoken to in lines. Its fields are as in `ProcessRequest`. */
export interface LongLivedRequest extends Pick<ProcessRequest, "owner" | "argv" | "cwd" | "env"> {
  readonly output: LongLivedOutput;
  /** Aborted before it has started: it does not. Later it changes nothing. */
  readonly signal?: AbortSignal;
}

export interface ProcessesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<EngineLog, "warn" | "debug">;
  readonly newId: () => string;
  /** Default: this machine's. */
  readonly table?: ProcessTable;
  /** Milliseconds between TERM and KILL. Default 2,000. */
  readonly graceMs?: number;
}

/** Starts programs, ends them with all they started, and finds those that a former process left. */
export class Processes {
  readonly #options: ProcessesOptions;
  readonly #store: ProcessStore;
  readonly #table: ProcessTable;
  readonly #graceMs: number;
  readonly #queues = new Map<ProcessKind, ProcessQueue>();
  readonly #running = new Set<RunningProcess>();
  readonly #longLived = new Set<LongLivedProcess>();
  /** Ended by `stop`: whoever waits for a place gets none. */
  readonly #stopping = new AbortController();
  /** Changes of the table that are on their way. */
  readonly #writing = new Set<Promise<void>>();
  #identity: Promise<{ readonly uid: string; readonly boot: string }> | undefined;

  constructor(options: ProcessesOptions) {
    this.#options = options;
    this.#store = new ProcessStore(options.db);
    this.#table = options.table ?? systemProcesses();
    this.#graceMs = options.graceMs ?? TERM_GRACE_MS;
    for (const [kind, places] of Object.entries(AT_ONCE)) {
      this.#queues.set(kind as ProcessKind, new ProcessQueue(places));
    }
  }

  /** How many run now. */
  get running(): number {
    return this.#running.size + this.#longLived.size;
  }

  /** Starts a program and waits until nothing of it runs any more. @throws ProcessError where it did not start */
  async run(request: ProcessRequest): Promise<ProcessEnd> {
    return (await this.start(request)).ended;
  }

  /**
   * Starts a program; waits for a place where too many of its kind run.
   * @throws ProcessError, and the reason of `signal` where that is aborted first
   */
  async start(request: ProcessRequest): Promise<RunningProcess> {
    return this.#inPlace(request.kind, request.signal, (id) => this.#spawn(request, id));
  }

  /**
   * Starts a program that runs until it is stopped (PR5); waits for a place where too many run.
   * @throws ProcessError, DatabaseError where its row cannot be written, and the reason of `signal`
   */
  startLongLived(request: LongLivedRequest): Promise<LongLivedProcess> {
    return this.#inPlace("server", request.signal, (id) => this.#spawnLongLived(request, id));
  }

  /** Starts one of a kind once there is a place, which is its own until it has ended. */
  async #inPlace<Running extends { readonly ended: Promise<unknown> }>(
    kind: ProcessKind,
    own: AbortSignal | undefined,
    spawn: (id: string) => Promise<Running>,
  ): Promise<Running> {
    const { uid } = await this.#known();
    const stopping = this.#stopping.signal;
    const signal = own === undefined ? stopping : AbortSignal.any([own, stopping]);
    const leave = await this.#queues.get(kind)!.enter(signal);
    try {
      signal.throwIfAborted();
      const running = await spawn(`${uid}.${this.#options.newId()}`);
      void running.ended.then(leave);
      return running;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * Ends what a former process of this store left running, by its rows and by its marker (PR2). Resolves with how many
   * there were. @throws DatabaseError
   */
  async endSurvivors(): Promise<number> {
    if (!this.#options.db.durable) return 0;
    const { uid, boot } = await this.#known();
    const rows = await this.#store.list();
    const groups = new Set<number>();
    for (const row of rows) {
      const leader = row.boot === boot ? await this.#table.find(row.pid) : undefined;
      if (leader?.started === row.started && leader.group === row.pid) groups.add(row.pid);
    }
    const ended = new Set<number>();
    const alive = async (): Promise<number[]> => {
      const members = (await Promise.all([...groups].map((group) => this.#table.inGroup(group)))).flat();
      const found = [...members, ...(await this.#table.marked(`${uid}.`))];
      // The service itself, and what started it, may carry the marker: a command may restart the service.
      const others = [...new Set(found.map(({ pid }) => pid))].filter(
        (pid) => pid !== process.pid && pid !== process.ppid,
      );
      for (const pid of others) ended.add(pid);
      return others;
    };
    const gone = await endProcesses({ graceMs: this.#graceMs, alive });
    const { log } = this.#options;
    if (!gone) log.warn("programs of the former process could not be ended");
    if (rows.length > 0) await this.#store.remove(rows.map(({ id }) => id));
    if (ended.size > 0) log.warn(`ended ${ended.size} processes that the former process had left running`);
    return ended.size;
  }

  /** Starts nothing any more and ends all that runs; resolves once nothing does. */
  async stop(): Promise<void> {
    this.#stopping.abort(new ProcessError("process.stopped", "The service is stopping: the program was not started."));
    const running = [...this.#running];
    for (const one of running) one.end("stopped");
    await Promise.all([...running.map(({ ended }) => ended), ...[...this.#longLived].map((one) => one.stop())]);
    await Promise.all(this.#writing);
  }

  /** The store's name and the boot, which do not change while this runs. */
  #known(): Promise<{ readonly uid: string; readonly boot: string }> {
    this.#identity ??= Promise.all([readInstanceUid(this.#options.db), this.#table.boot()]).then(([uid, boot]) => ({
      uid,
      boot,
    }));
    return this.#identity;
  }

  async #spawn(request: ProcessRequest, id: string): Promise<RunningProcess> {
    const {
      argv,
      cwd,
      env,
      stdin = "none",
      sandbox,
      timeoutMs,
      signal,
      separate = false,
      keptBytes,
      startsOthers = true,
      onOutput,
    } = request;
    const wrapped = sandbox === undefined ? argv : sandbox.by.wrap(argv, sandbox.policy, sandbox.cwd ?? cwd);
    const child = await startChild({ argv: wrapped, cwd, env: { ...env, [MARKER]: id }, stdin });
    const isEndedWhole = sandbox?.by.endsAll === true;
    const started = this.#table.startOfChild(child.pid!);
    const running = new RunningProcess({
      ...{ child, pid: child.pid!, started, timeoutMs, signal, separate, keptBytes, onOutput },
      ...{ marker: isEndedWhole || !startsOthers ? undefined : id, signalsAsCodes: isEndedWhole },
      ...{ clock: this.#options.clock, table: this.#table, graceMs: this.#graceMs },
    });
    this.#running.add(running);
    void running.ended.finally(() => this.#running.delete(running)).catch(() => {});
    this.#noteLater(running, request.owner, id);
    return running;
  }

  async #spawnLongLived(request: LongLivedRequest, id: string): Promise<LongLivedProcess> {
    const { argv, cwd, env, owner, output } = request;
    const child = await startChild({ argv, cwd, env: { ...env, [MARKER]: id }, stdin: "pipe" });
    const pid = child.pid!;
    const running = new LongLivedProcess({
      ...{ child, pid, started: this.#table.startOfChild(pid), marker: id, output },
      ...{ table: this.#table, graceMs: this.#graceMs },
    });
    this.#longLived.add(running);
    const noted = this.#addRow(running, owner, id);
    const life = running.ended.then(async () => {
      this.#longLived.delete(running);
      if (await noted.catch(() => false)) await this.#store.remove([id]);
    });
    this.#track(life, pid);
    try {
      await noted;
    } catch (error) {
      await running.stop();
      throw error;
    }
    return running;
  }

  /** Whether there is a row now. @throws DatabaseError */
  async #addRow(running: RunningProcess | LongLivedProcess, owner: string, id: string): Promise<boolean> {
    if (!this.#options.db.durable) return false;
    const { boot } = await this.#known();
    const { pid } = running;
    const started = running.started ?? (await this.#table.find(pid))?.started;
    if (started === undefined) return false;
    await this.#store.add({ id, owner, pid, started, boot }, this.#options.clock.now());
    return true;
  }

  /** Has `stop` wait for what is written about a process. */
  #track(writing: Promise<void>, pid: number): void {
    const tracked = writing.catch((error: unknown) =>
      this.#options.log.warn(`the row of process ${pid} was not written: ${String(error)}`),
    );
    this.#writing.add(tracked);
    void tracked.finally(() => this.#writing.delete(tracked));
  }

  /** Keeps the row of a process while it runs. Failing to is no reason to end it: the marker names it too. */
  #noteLater(running: RunningProcess, owner: string, id: string): void {
    if (!this.#options.db.durable) return;
    const timer = setTimeout(() => this.#track(this.#note(running, owner, id), running.pid), NOTE_AFTER_MS);
    void running.ended.finally(() => clearTimeout(timer)).catch(() => {});
  }

  async #note(running: RunningProcess, owner: string, id: string): Promise<void> {
    let isAdded = true;
    try {
      isAdded = await this.#addRow(running, owner, id);
    } finally {
      await running.ended.catch(() => {});
      if (isAdded) await this.#store.remove([id]);
    }
  }
}
