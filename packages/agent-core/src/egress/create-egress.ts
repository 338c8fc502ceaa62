/**
 * The egress guard (W3): every request that a caller or the model can steer goes through it.
 *
 * 1. A socket is opened only to an address that was checked for this very request; no name is resolved twice.
 * 2. Every address of a name must pass, not only the one that is used.
 * 3. A redirect is a new request: it passes 1 and 2 again.
 * 4. No error holds an address that a name resolved to.
 * 5. Time, redirects, headers and bytes of a request have bounds.
 */
import { type AllowList, readAllowList } from "./allow-list.ts";
import { checkHost, isNamed } from "./check-host.ts";
import { EgressError, type EgressErrorCode } from "./egress-error.ts";
import type { EgressAnswer, EgressRequest, EgressStream, EgressStreamRequest } from "./egress-request.ts";
import { parseTarget, shownHost } from "./parse-target.ts";
import { type ResolveHost, resolveBySystem } from "./resolve-host.ts";

/** What an egress guard allows besides public addresses, how it resolves names, and where it reports refusals. */
export interface EgressOptions {
  /**
   * Host names (or addresses) that are asked nothing further: `PUSH_NOTIFICATION_ALLOWED_HOSTS` (B21) for
   * webhooks, `egress.allowed_hosts` (B68) for tools. Exact names, any spelling; no wildcards.
   */
  readonly allowedHosts?: readonly string[];
  /** Blocks whose addresses are allowed though not public: `PUSH_NOTIFICATION_ALLOWED_CIDRS` (B21). */
  readonly allowedCidrs?: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: ResolveHost;
  /** Called with the code of every refusal. */
  readonly onRefused?: ((code: EgressErrorCode) => void) | undefined;
  /** `User-Agent` of every request that brings none. Default `agent-service`. */
  readonly userAgent?: string;
}

/** A guard. It holds no connections and needs no closing; a changed list is a new guard. */
export interface Egress {
  /**
   * Checks a URL without connecting, as a webhook is checked before it is accepted; resolves to it in its normal form.
   * A host that was named is not even resolved. `timeoutMs` bounds the resolver; default 10,000.
   * Rejects with `EgressError`, or with the signal's reason.
   */
  check(url: string | URL, options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<URL>;
  /** Makes a request. Any status is an answer. Rejects with `EgressError`, or with the signal's reason. */
  request(url: string | URL, request?: EgressRequest): Promise<EgressAnswer>;
}

/** A guard whose answers can be read while they come. */
export interface StreamingEgress extends Egress {
  /**
   * Makes a request and resolves at the head of its answer, whose body is read as it comes. `timeoutMs` bounds the time
   * until then. A redirect is an answer like any other. Rejects as `request`.
   */
  stream(url: string | URL, request?: EgressStreamRequest): Promise<EgressStream>;
}

interface Bounds {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Of a foreign error only the code is kept: its message often holds the address. */
function safeError(error: unknown, host: string): EgressError {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const reason = typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : "";
  return new EgressError("egress.network", `the request to ${shownHost(host)} failed${reason}`);
}

async function bounded<T>(host: string, bounds: Bounds, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeoutMs = 10_000 } = bounds;
  signal?.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    return await act(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (late.signal.aborted) {
      throw new EgressError("egress.timeout", `${shownHost(host)} did not answer within ${timeoutMs} ms`);
    }
    throw error instanceof EgressError ? error : safeError(error, host);
  } finally {
    clearTimeout(timer);
  }
}

/** Does it, and notes a refusal; what may pass by itself is none. */
async function noting<T>({ onRefused }: EgressOptions, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof EgressError && !error.retryable) onRefused?.(error.code);
    throw error;
  }
}

/** Makes a guard. Cheap: what a request needs is loaded by the first one. @throws EgressConfigError */
export function createEgress(options: EgressOptions = {}): StreamingEgress {
  const allow: AllowList = readAllowList(options.allowedHosts ?? [], options.allowedCidrs ?? []);
  const check = { allow, resolve: options.resolve ?? resolveBySystem };
  const userAgent = options.userAgent ?? "agent-service";
  return {
    check: (url, bounds = {}) =>
      noting(options, async () => {
        const target = parseTarget(url);
        if (!isNamed(target, check)) await bounded(target.host, bounds, (signal) => checkHost(target, check, signal));
        return target.url;
      }),
    request: (url, request = {}) =>
      noting(options, async () => {
        const target = parseTarget(url);
        return bounded(target.host, request, async (signal) => {
          const { guardedRequest } = await import("./guarded-request.ts");
          return guardedRequest(target, request, { check, userAgent, signal });
        });
      }),
    stream: (url, request = {}) =>
      noting(options, async () => {
        const target = parseTarget(url);
        return bounded(target.host, request, async (signal) => {
          const { guardedStream } = await import("./guarded-request.ts");
          return guardedStream(target, request, { check, userAgent, signal });
        });
      }),
  };
}

/** Addresses of a host that were checked, for a program that connects to them itself. */
export interface CheckedHost {
  readonly addresses: readonly string[];
  /** The operator named the host: anything may be asked of it. */
  readonly isNamed: boolean;
}

/**
 * Checks the host of a URL as for a request, and returns the addresses that may be connected to: whoever connects uses
 * these and resolves nothing again (W3). Rejects with `EgressError`.
 */
export function createHostCheck(options: EgressOptions = {}): (url: string) => Promise<CheckedHost> {
  const allow: AllowList = readAllowList(options.allowedHosts ?? [], options.allowedCidrs ?? []);
  const check = { allow, resolve: options.resolve ?? resolveBySystem };
  return (url) =>
    noting(options, async () => {
      const target = parseTarget(url);
      const addresses = await bounded(target.host, {}, (signal) => checkHost(target, check, signal));
      return { addresses, isNamed: isNamed(target, check) };
    });
}
