/**
 * One configured server: its connection, which all turns share (MC3), and when it is tried again.
 *
 * `idle → starting → ready → backoff → starting`; `failing`, `needs_auth` and `misconfigured` end calls at once. Changed
 * settings, and a restart, are another `ManagedServer`: this one is retired, and calls under way end on it.
 */
import type { Timer } from "../../clock/index.ts";
import type { McpEra, McpServerState } from "../mcp-server-view.ts";
import type { ResolvedTarget } from "../placeholder/index.ts";
import { Backoff } from "./backoff.ts";
import { ChangeSignal } from "./change-signal.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ManagedServerOptions } from "./managed-server-options.ts";
import { openConnection, type ServerConnection } from "./server-connection.ts";
import { ServerLog } from "./server-log.ts";

/** Lists are fetched again at most once in so long (M12). */
const REFETCH_MS = 2_000;

export class ManagedServer {
  readonly #options: ManagedServerOptions;
  readonly #backoff: Backoff;
  readonly #ended = new AbortController();
  readonly #log: ServerLog;
  readonly #changes: ChangeSignal;
  #connection: ServerConnection | undefined;
  #readyAt = 0;
  #state: McpServerState = "idle";
  #detail: string | undefined;
  #era: McpEra | undefined;
  #isKnownLegacy = false;
  #restarts = 0;
  #nextAttemptAt: number | undefined;
  #timer: Timer | undefined;
  #refetch: Timer | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #calls = 0;
  /** Connections that no call begins on any more. */
  readonly #left: ServerConnection[] = [];
  #isRetired = false;

  constructor(options: ManagedServerOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.random);
    this.#log = new ServerLog(options.clock, options.redact);
    this.#changes = new ChangeSignal(options.clock);
  }

  get state(): McpServerState {
    return this.#state;
  }

  get detail(): string | undefined {
    return this.#detail;
  }

  get era(): McpEra | undefined {
    return this.#era;
  }

  get pid(): number | undefined {
    return this.#connection?.pid;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get nextAttemptAt(): number | undefined {
    return this.#nextAttemptAt;
  }

  get callsRunning(): number {
    return this.#calls;
  }

  get log(): readonly string[] {
    return this.#log.lines;
  }

  /** Connects behind what runs; does nothing where it did already, or was stopped. */
  start(): void {
    if (this.#state === "idle" && !this.#isRetired) void this.#attempt();
  }

  /**
   * The open connection, waited for while one may come. @throws ConnectionError `not_sent` where none comes in time or
   * the server's state says that none will, and the signal's reason
   */
  async connection(signal: AbortSignal): Promise<ServerConnection> {
    this.start();
    const until = this.#options.clock.now() + this.#options.timeoutMs;
    for (;;) {
      signal.throwIfAborted();
      if (this.#state === "ready" && this.#connection?.isClosed === false) return this.#connection;
      const mayCome = this.#state === "starting" || this.#state === "backoff" || this.#state === "ready";
      const left = until - this.#options.clock.now();
      if (!mayCome || left <= 0 || this.#ended.signal.aborted)
        throw new ConnectionError("not_sent", this.#sentence(mayCome));
      await this.#changes.next(left, signal);
    }
  }

  /** Counts a call while it runs: a retired server ends after its last one. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#calls++;
    try {
      return await call();
    } finally {
      this.#calls--;
      if (this.#calls === 0) void this.#closeLeft();
      if (this.#isRetired && this.#calls === 0) void this.stop();
    }
  }

  /** A call was answered that a credential is missing. */
  needsAuth(detail: string): void {
    if (this.#ended.signal.aborted || this.#isRetired) return;
    // Other calls under way end on it (MC3).
    if (this.#connection !== undefined) this.#left.push(this.#connection);
    this.#connection = undefined;
    if (this.#calls === 0) void this.#closeLeft();
    this.#enter("needs_auth", detail);
  }

  /** Ends it once no call of it runs; nothing of it is tried again. */
  retire(): void {
    this.#isRetired = true;
    this.#cancelTimers();
    if (this.#calls === 0) void this.stop();
  }

  /** Ends it now; calls under way are lost. */
  async stop(): Promise<void> {
    this.#isRetired = true;
    this.#cancelTimers();
    this.#ended.abort(new ConnectionError("not_sent", `${this.#options.name} was stopped`));
    const connection = this.#connection;
    this.#connection = undefined;
    this.#changes.notify();
    await Promise.all([connection?.close(), this.#closeLeft()]);
  }

  async #closeLeft(): Promise<void> {
    await Promise.all(this.#left.splice(0).map((connection) => connection.close()));
  }

  async #attempt(): Promise<void> {
    this.#cancelTimers();
    // A failing server's rare tries do not make calls wait.
    if (this.#state !== "failing") this.#enter("starting", undefined);
    const { places, name } = this.#options;
    const { signal } = this.#ended;
    let connection: ServerConnection | undefined;
    try {
      await places.run(signal, async () => {
        const resolved = this.#options.target();
        if (!resolved.ok) return this.#enter("misconfigured", resolved.problem);
        connection = await this.#open(resolved, signal);
        await this.#fetch(connection);
        if (connection.isClosed) throw new ConnectionError("lost", "the connection ended while its tools were listed");
        this.#connection = connection;
        this.#readyAt = this.#options.clock.now();
        this.#era = connection.era;
        this.#isKnownLegacy = connection.era === "2025";
        this.#log.add("connected");
        this.#enter("ready", undefined);
      });
    } catch (error) {
      await connection?.close();
      if (signal.aborted) return;
      const reason = error instanceof ConnectionError ? error.message : `${name} could not be connected`;
      if (!(error instanceof ConnectionError)) this.#log.add(String(error));
      if (error instanceof ConnectionError && error.code === "auth") this.#enter("needs_auth", reason);
      else this.#failed(reason, 0);
    }
    if (signal.aborted) await connection?.close();
  }

  #open({ target }: Extract<ResolvedTarget, { ok: true }>, signal: AbortSignal): Promise<ServerConnection> {
    const { name, source, timeoutMs, version, elicitation, offers, authorization } = this.#options;
    const { onElicitation, onOffered, redact, clock } = this.#options;
    let opened: ServerConnection | undefined;
    const opening = openConnection({
      ...{
        server: name,
        target,
        source,
        timeoutMs,
        version,
        elicitation,
        authorization,
        signal,
        onElicitation,
        redact,
      },
      ...(offers !== undefined && { offers }),
      ...(onOffered !== undefined && { onOffered }),
      isKnownLegacy: this.#isKnownLegacy,
      onLog: (line) => this.#log.add(line),
      onClosed: (reason, isSessionOver) => {
        if (opened === undefined || opened !== this.#connection || this.#isRetired) return;
        this.#connection = undefined;
        this.#restarts++;
        if (isSessionOver && this.#backoff.mayReopen(clock.now())) return void this.#attempt();
        this.#failed(reason, clock.now() - this.#readyAt);
      },
      onListChanged: () => this.#fetchLater(),
    });
    return opening.then((connection) => {
      opened = connection;
      return connection;
    });
  }

  async #fetch(connection: ServerConnection): Promise<void> {
    this.#fetchedAt = this.#options.clock.now();
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(this.#options.timeoutMs)]);
    const late = (error: unknown): never => {
      if (signal.aborted && !this.#ended.signal.aborted)
        throw new ConnectionError("timeout", "it did not list its tools in time");
      throw error;
    };
    const tools = await connection.list("tools", signal).catch(late);
    // A server without prompts that says it has some is no reason to do without its tools.
    const prompts = await connection.list("prompts", signal).catch(() => []);
    await this.#options.onShown({ tools, prompts, hasResources: connection.hasResources });
  }

  #fetchLater(): void {
    if (this.#refetch !== undefined || this.#isRetired) return;
    const { clock } = this.#options;
    const wait = Math.max(0, this.#fetchedAt + REFETCH_MS - clock.now());
    const fetch = async (): Promise<void> => {
      this.#refetch = undefined;
      const connection = this.#connection;
      if (connection === undefined) return;
      await this.#fetch(connection).catch((error: unknown) =>
        this.#log.add(`its tools were not listed: ${String(error)}`),
      );
    };
    this.#refetch = clock.setTimeout(() => void fetch(), wait, { background: true });
  }

  #failed(reason: string, upMs: number): void {
    const { clock } = this.#options;
    this.#log.add(reason);
    const { waitMs, isFailing } = this.#backoff.failed(clock.now(), upMs);
    this.#cancelTimers();
    this.#nextAttemptAt = clock.now() + waitMs;
    this.#timer = clock.setTimeout(() => void this.#attempt(), waitMs, { background: true });
    this.#enter(isFailing ? "failing" : "backoff", reason);
  }

  #cancelTimers(): void {
    this.#timer?.cancel();
    this.#refetch?.cancel();
    this.#timer = undefined;
    this.#refetch = undefined;
    this.#nextAttemptAt = undefined;
  }

  #enter(state: McpServerState, detail: string | undefined): void {
    this.#state = state;
    this.#detail = detail === undefined ? undefined : this.#options.redact(detail);
    this.#changes.notify();
    this.#options.onChanged();
  }

  #sentence(mayCome: boolean): string {
    const { name } = this.#options;
    const detail = this.#detail === undefined ? "" : `: ${this.#detail}`;
    if (this.#isRetired) return `${name} was stopped`;
    if (mayCome) return `${name} was not connected in time${detail}`;
    if (this.#state === "needs_auth") return `${name} needs a sign-in by the operator${detail}`;
    if (this.#state === "misconfigured") return `${name} is misconfigured${detail}`;
    return `${name} fails to connect${detail}`;
  }
}
