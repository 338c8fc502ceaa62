/**
 * Keeps the environment tier filled from an external secrets manager (B71).
 *
 * Invariants (the tests cite them)
 *  1. Values are in memory only; no file is written, no message or status holds one.
 *  2. A fetch that fails changes nothing: the values of the last good one stay.
 *  3. One fetch at a time; a caller that asks while one runs gets an answer that began after they asked, or with the same settings.
 *  4. The machine identity goes to the configured address only.
 */
import type { FetchLike } from "./bounded-requests.ts";
import { fetchSecrets } from "./fetch-secrets.ts";
import { type HydratedEnvironment, hydrate, type Variables } from "./hydrate.ts";
import type { SecretsManagerSectionValue } from "./secrets-manager-section.ts";
import { SecretsError, type SecretsErrorKind } from "./secrets-provider.ts";
import { type SecretsTestOverrides, type SecretsTestResult, testSecrets } from "./test-secrets.ts";

/** The time, as this package needs it; agent-core's `Clock` fits. */
export interface RefreshClock {
  now(): number;
  setTimeout(run: () => void, ms: number, options?: { readonly background?: boolean }): { cancel(): void };
}

/** Settings, environment and ports of a secrets manager. */
export interface SecretsManagerOptions {
  /** The current settings; read at every use. */
  readonly settings: () => SecretsManagerSectionValue;
  /** The process's own variables. `SVC_NO_SECRETS_HYDRATE` in them, if not empty, switches everything off. */
  readonly env: Variables;
  readonly fetch: FetchLike;
  readonly clock: RefreshClock;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Called after a fetch that changed a value. */
  readonly onChange?: () => void;
  /** Milliseconds one fetch may take. Default 10,000. */
  readonly timeoutMs?: number;
}

/** The last outcome, names only (B42). */
export interface SecretsStatus {
  readonly enabled: boolean;
  readonly provider: string;
  readonly host: string;
  readonly project_id: string;
  readonly environment: string;
  readonly path: string;
  /** Null: nothing was fetched yet. */
  readonly ok: boolean | null;
  readonly error: string | null;
  readonly error_kind: SecretsErrorKind | null;
  /** ISO-8601 time of the last good fetch. */
  readonly fetched_at: string | null;
  /** How many variables the manager owns. */
  readonly applied: number;
  /** Variables it has too, but the process's own count. */
  readonly shadowed: readonly string[];
  readonly refresh_seconds: number;
  /** Variables the manager owns. */
  readonly vars: readonly string[];
}

/** Fetches secrets into environment variables, and refreshes them. */
export interface SecretsManager {
  /** The process's variables with the manager's values in them; the same object until something changes. */
  environment(): Variables;
  /** Every fetched value, for a redactor; the same list until a fetch. Plain addresses are not secret. */
  values(): readonly string[];
  status(): SecretsStatus;
  /** Fetches now. Never rejects: the status holds the result. */
  sync(): Promise<SecretsStatus>;
  /** Tries other settings without applying anything. Never rejects. */
  test(overrides: SecretsTestOverrides): Promise<SecretsTestResult>;
  /** Fetches every `refresh_seconds` from now on. */
  start(): void;
  /** Stops fetching; a fetch that runs is given up. */
  stop(): void;
}

const TIMEOUT_MS = 10_000;

/** Whether fetching is wanted at all. */
export function hydrates(settings: SecretsManagerSectionValue, env: Variables): boolean {
  return settings.enabled && (env.SVC_NO_SECRETS_HYDRATE ?? "") === "";
}

/** Makes a secrets manager. It fetches nothing by itself before `start` or `sync`. */
export function createSecretsManager(options: SecretsManagerOptions): SecretsManager {
  return new RefreshedSecrets(options);
}

/** A fetch that runs, and the settings it is of. */
interface Fetching {
  readonly of: string;
  readonly done: Promise<SecretsStatus>;
}

class RefreshedSecrets implements SecretsManager {
  readonly #options: SecretsManagerOptions;
  readonly #nothing: HydratedEnvironment;
  readonly #giveUp = new AbortController();
  #hydrated: HydratedEnvironment;
  #values: readonly string[] = [];
  #failure: SecretsError | undefined;
  #fetchedAt: number | undefined;
  #running: Fetching | undefined;
  #timer: { cancel(): void } | undefined;
  #started = false;

  constructor(options: SecretsManagerOptions) {
    this.#options = options;
    this.#nothing = { variables: options.env, applied: [], shadowed: [] };
    this.#hydrated = this.#nothing;
  }

  environment(): Variables {
    return this.#hydrated.variables;
  }

  values(): readonly string[] {
    return this.#values;
  }

  status(): SecretsStatus {
    const { provider, host, project_id, environment, path, refresh_seconds } = this.#options.settings();
    const { applied, shadowed } = this.#hydrated;
    const fetchedAt = this.#fetchedAt;
    return {
      ...{ enabled: this.#isEnabled(), provider, host, project_id, environment, path },
      ok: this.#failure !== undefined ? false : fetchedAt === undefined ? null : true,
      error: this.#failure?.message ?? null,
      error_kind: this.#failure?.kind ?? null,
      fetched_at: fetchedAt === undefined ? null : new Date(fetchedAt).toISOString(),
      ...{ applied: applied.length, shadowed, refresh_seconds, vars: applied },
    };
  }

  sync(): Promise<SecretsStatus> {
    const wanted = this.#options.settings();
    const of = JSON.stringify(wanted);
    if (this.#running?.of === of) return this.#running.done;
    const before = this.#running?.done ?? Promise.resolve();
    const entry: Fetching = {
      of,
      done: before.then(() => this.#run(wanted)).finally(() => this.#ended(entry)),
    };
    this.#running = entry;
    return entry.done;
  }

  test(overrides: SecretsTestOverrides): Promise<SecretsTestResult> {
    const { settings, fetch, timeoutMs = TIMEOUT_MS } = this.#options;
    return testSecrets(settings(), overrides, { fetch, timeoutMs, signal: this.#giveUp.signal });
  }

  start(): void {
    this.#started = true;
    this.#schedule();
  }

  stop(): void {
    this.#started = false;
    this.#timer?.cancel();
    this.#giveUp.abort();
  }

  #isEnabled(): boolean {
    return hydrates(this.#options.settings(), this.#options.env);
  }

  async #run(wanted: SecretsManagerSectionValue): Promise<SecretsStatus> {
    const { env, fetch, timeoutMs = TIMEOUT_MS, clock, log } = this.#options;
    if (!hydrates(wanted, env)) {
      this.#failure = undefined;
      this.#fetchedAt = undefined;
      this.#apply(new Map(), false);
      return this.status();
    }
    try {
      const values = await fetchSecrets(wanted, fetch, { timeoutMs, signal: this.#giveUp.signal });
      if (this.#failure !== undefined) log.info("secrets manager: it can be read again");
      this.#failure = undefined;
      this.#fetchedAt = clock.now();
      this.#apply(values, wanted.override_env);
    } catch (error) {
      if (!(error instanceof SecretsError)) throw error;
      const kept = this.#fetchedAt === undefined ? "" : "; the values fetched before stay";
      if (error.message !== this.#failure?.message) log.warn(`secrets manager: ${error.message}${kept}`);
      this.#failure = error;
    }
    return this.status();
  }

  #apply(values: ReadonlyMap<string, string>, overrideEnv: boolean): void {
    const { env, onChange } = this.#options;
    const next = values.size === 0 ? this.#nothing : hydrate(env, values, { overrideEnv });
    const changed = !sameVariables(this.#hydrated.variables, next.variables);
    this.#values = [...values.values()].filter((value) => !isPlainAddress(value));
    this.#hydrated = changed ? next : { ...next, variables: this.#hydrated.variables };
    if (changed) onChange?.();
  }

  #ended(entry: Fetching): void {
    if (this.#running !== entry) return;
    this.#running = undefined;
    this.#schedule();
  }

  #schedule(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const { settings, clock } = this.#options;
    const seconds = settings().refresh_seconds;
    if (!this.#started || seconds === 0 || !this.#isEnabled()) return;
    this.#timer = clock.setTimeout(() => void this.sync(), seconds * 1000, { background: true });
  }
}

function sameVariables(one: Variables, other: Variables): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function isPlainAddress(value: string): boolean {
  const url = /^https?:\/\//.test(value) ? URL.parse(value) : null;
  return url !== null && `${url.username}${url.password}${url.search}` === "";
}
