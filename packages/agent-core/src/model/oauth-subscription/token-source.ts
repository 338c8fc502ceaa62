/**
 * The OAuth bearer of a subscription (R9; RFC 6749, section 6).
 *
 * 1. One refresh at a time: whoever needs a token while one runs waits for it. It does not end when a caller leaves.
 * 2. A refresh token may be good for one use, so what a refresh brought is kept before it is used.
 * 3. A token is renewed before it expires; while the old one is still good, a refresh that fails passes is no failure.
 * 4. No error holds a token.
 */
import type { Clock } from "../../clock/index.ts";
import { ModelConfigError } from "../model-config-error.ts";
import { ModelError } from "../model-error.ts";

/** What a subscription is entered with, and what a refresh makes of it. */
export interface SubscriptionTokens {
  readonly accessToken: string;
  /** Blank: the access token cannot be renewed. */
  readonly refreshToken: string;
  /** Epoch milliseconds; undefined: not known. */
  readonly expiresAt?: number | undefined;
}

export interface TokenSourceOptions {
  /** How errors name the connection. */
  readonly name: string;
  readonly tokens: SubscriptionTokens;
  /** Blank: nothing can be refreshed. */
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly clock: Clock;
  /** Keeps new tokens over a restart. What it throws goes to `warn`; the tokens are used all the same. */
  readonly save?: ((tokens: SubscriptionTokens) => Promise<void>) | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

/** Milliseconds before the end at which a token is renewed. */
const RENEW_BEFORE_MS = 300_000;
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 1024;

/** The bearer of one subscription. Share one between everything that calls with it. */
export class TokenSource {
  readonly #options: TokenSourceOptions;
  #tokens: SubscriptionTokens;
  #refreshing: Promise<void> | undefined;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
    this.#tokens = options.tokens;
  }

  get tokens(): SubscriptionTokens {
    return this.#tokens;
  }

  /** A token to send. Rejects with `ModelError`, `ModelConfigError` where none was entered, or the signal's reason. */
  async token(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { accessToken, refreshToken } = this.#tokens;
    if (accessToken === "" && refreshToken === "")
      throw new ModelConfigError("no_credential", `the connection ${this.#options.name} has no token: sign in first`);
    const left = this.#left();
    if (accessToken !== "" && left > RENEW_BEFORE_MS) return accessToken;
    if (!this.#canRefresh) {
      if (accessToken !== "") return accessToken;
      throw new ModelConfigError("no_credential", `the connection ${this.#options.name} has no token endpoint`);
    }
    try {
      await this.#refresh(signal);
    } catch (error) {
      if (accessToken === "" || left <= 0 || !(error instanceof ModelError)) throw error;
      this.#options.warn?.(`${error.message}; the token it has is still good`);
    }
    return this.#tokens.accessToken;
  }

  /** The provider refused this token: renews it, unless that has happened. False when it cannot be renewed. */
  async renew(refused: string, signal: AbortSignal): Promise<boolean> {
    if (this.#tokens.accessToken !== refused) return true;
    if (!this.#canRefresh) return false;
    await this.#refresh(signal);
    return this.#tokens.accessToken !== refused;
  }

  get #canRefresh(): boolean {
    return this.#tokens.refreshToken !== "" && this.#options.tokenEndpoint !== "";
  }

  #left(): number {
    const { expiresAt } = this.#tokens;
    return expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - this.#options.clock.now();
  }

  #refresh(signal: AbortSignal): Promise<void> {
    this.#refreshing ??= this.#renewTokens().finally(() => {
      this.#refreshing = undefined;
    });
    return leaving(this.#refreshing, signal);
  }

  async #renewTokens(): Promise<void> {
    const { save, warn, name } = this.#options;
    const fresh = await this.#ask();
    this.#tokens = fresh;
    try {
      await save?.(fresh);
    } catch {
      // The cause may quote what it could not write.
      warn?.(`${name}: the renewed token could not be saved; after a restart it has to be entered again`);
    }
  }

  async #ask(): Promise<SubscriptionTokens> {
    const { name, tokenEndpoint, clientId, clock } = this.#options;
    const { refreshToken } = this.#tokens;
    const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
    if (clientId !== "") form.set("client_id", clientId);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    let response: Response;
    let body: string;
    try {
      response = await fetch(tokenEndpoint, {
        method: "POST",
        headers: { accept: "application/json", "user-agent": "agent-service" },
        body: form,
        redirect: "manual",
        signal: timeout,
      });
      body = await readBounded(response);
    } catch {
      if (timeout.aborted) throw new ModelError("timeout", `${name}: the token endpoint did not answer in time`);
      throw new ModelError("network", `${name}: the token endpoint could not be reached`);
    }
    if (response.status === 429 || response.status >= 500)
      throw new ModelError("upstream", `${name}: the token endpoint answered ${response.status}`, {
        status: response.status,
      });
    const fresh = response.ok ? readTokens(body, refreshToken, clock.now()) : undefined;
    if (fresh !== undefined) return fresh;
    throw new ModelError(
      "unauthorized",
      `${name}: the token could not be renewed (${response.status}): sign in again`,
      {
        status: 401,
      },
    );
  }
}

function readTokens(body: string, refreshToken: string, now: number): SubscriptionTokens | undefined {
  let wire: unknown;
  try {
    wire = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof wire !== "object" || wire === null) return undefined;
  const {
    access_token: access,
    refresh_token: next,
    expires_in: seconds,
  } = wire as { readonly [key: string]: unknown };
  if (typeof access !== "string" || !isSendable(access)) return undefined;
  const expires = Number(seconds);
  return {
    accessToken: access,
    // A server that keeps refresh tokens sends none.
    refreshToken: typeof next === "string" && isSendable(next) ? next : refreshToken,
    ...(Number.isFinite(expires) && expires > 0 ? { expiresAt: now + expires * 1_000 } : {}),
  };
}

function isSendable(token: string): boolean {
  return /^[\x21-\x7e]{1,16384}$/.test(token);
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error("too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Waits for something shared; leaving does not end it. */
async function leaving(shared: Promise<void>, signal: AbortSignal): Promise<void> {
  // Every caller may have aborted: its failure is then unhandled.
  shared.catch(() => {});
  const left = Promise.withResolvers<never>();
  const onAbort = (): void => left.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([shared, left.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
