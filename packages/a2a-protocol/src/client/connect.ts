import { CARD_PATHS } from "../agent-card/index.ts";
import { runtimeTimers, type Timers } from "../stream/index.ts";
import { chooseEndpoint, type ReadCard, readCard } from "./choose-endpoint.ts";
import { ClientError } from "./client-error.ts";
import { createJsonRpcTransport, readText } from "./json-rpc-transport.ts";
import { createRemoteAgent, type RemoteAgent } from "./remote-agent.ts";

/** How to reach an agent. */
export interface ConnectOptions {
  readonly bearer?: string | undefined;
  /** API key, sent as `X-API-Key` or in the header named. */
  readonly apiKey?: string | { readonly header: string; readonly value: string } | undefined;
  /** Further headers of every request to the endpoint. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Origins besides the card's own that may receive the credentials. Without this, a card that names another origin is
   * refused when there are credentials to lose (addresses of this machine count as one origin per port).
   */
  readonly trustedOrigins?: readonly string[];
  /** Default: the runtime's. */
  readonly fetch?: typeof fetch;
  readonly timers?: Timers;
  /** Aborts the connecting; a request has its own signal. */
  readonly signal?: AbortSignal;
  /** Most attempts in a row, without progress, to pick up a broken stream. Default 5. */
  readonly maxReconnects?: number;
  /**
   * Milliseconds of silence after which a stream counts as broken; 0: never. Default: 60,000 for agents that declare
   * `stream-cursor-v1`, which send a sign of life every 15 s, and never for others.
   */
  readonly idleTimeoutMs?: number;
  /** Most bytes of one JSON answer and characters of one stream event. Default 32 Mi. */
  readonly maxAnswerLength?: number;
}

const CURSOR_EXTENSION = "urn:agent-service:a2a:ext:stream-cursor-v1";
const IDEMPOTENCY_EXTENSION = "urn:agent-service:a2a:ext:idempotency-v1";
const CARD_BYTES = 4 * 1024 * 1024;

/**
 * Reads the card of the agent at `url` (its base address, or the card's own address ending in `.json`), picks version
 * and binding, and returns the agent. Rejects with `ClientError`: `card`, `unsupported`, `untrusted-endpoint`, `http`,
 * `network`.
 */
export async function connect(url: string, options: ConnectOptions = {}): Promise<RemoteAgent> {
  const { timers = runtimeTimers, maxReconnects = 5, maxAnswerLength = 32 * 1024 * 1024 } = options;
  // Browsers refuse their `fetch` as a method of anything but the window.
  const fetcher: typeof fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const credentials = credentialHeaders(options);
  const { card, cardUrl } = await fetchCard(url, fetcher, credentials, options.signal);
  const endpoint = chooseEndpoint(card, cardUrl);
  const hasCredentials = Object.keys(credentials).length > 0;
  if (hasCredentials && !isTrusted(endpoint.url, url, options.trustedOrigins ?? [])) {
    throw new ClientError("untrusted-endpoint", `The card names an endpoint of another origin: ${endpoint.url}`);
  }
  const idleTimeoutMs = options.idleTimeoutMs ?? (card.extensions.includes(CURSOR_EXTENSION) ? 60_000 : 0);
  const headers = { ...options.headers, ...credentials, "A2A-Version": endpoint.dialect.version };
  const transport = createJsonRpcTransport({
    url: endpoint.url,
    headers,
    ...(endpoint.tenant !== undefined && { params: { tenant: endpoint.tenant } }),
    fetch: fetcher,
    timers,
    idleTimeoutMs,
    maxAnswerLength,
  });
  const repeatable = card.extensions.includes(IDEMPOTENCY_EXTENSION);
  return createRemoteAgent(card, endpoint, { transport, dialect: endpoint.dialect, repeatable, maxReconnects, timers });
}

function credentialHeaders({ bearer, apiKey }: ConnectOptions): Record<string, string> {
  const key = typeof apiKey === "string" ? { header: "X-API-Key", value: apiKey } : apiKey;
  return { ...(bearer && { Authorization: `Bearer ${bearer}` }), ...(key && { [key.header]: key.value }) };
}

async function fetchCard(
  url: string,
  fetcher: typeof fetch,
  credentials: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<{ card: ReadCard; cardUrl: string }> {
  const base = url.replace(/\/+$/, "");
  const addresses = base.endsWith(".json") ? [base] : CARD_PATHS.map((path) => base + path);
  let status = 404;
  for (const address of addresses) {
    // Cards are public by rule; the credentials go along only where an agent insists, and then not past a redirect.
    let response = await getCard(address, fetcher, { ...(signal && { signal }) });
    if (response.status === 401 || response.status === 403) {
      response = await getCard(address, fetcher, {
        headers: credentials,
        redirect: "error",
        ...(signal && { signal }),
      });
    }
    status = response.status;
    if (response.ok) return { card: readCard(await cardDocument(response)), cardUrl: response.url || address };
    await response.body?.cancel();
    if (status !== 404) break;
  }
  throw new ClientError("http", `The agent card could not be read: HTTP ${status}`, { status });
}

async function getCard(address: string, fetcher: typeof fetch, init: RequestInit): Promise<Response> {
  try {
    return await fetcher(address, init);
  } catch (cause) {
    if (init.signal?.aborted) throw init.signal.reason;
    throw new ClientError("network", `The agent card could not be read from ${address}`, { cause });
  }
}

async function cardDocument(response: Response): Promise<unknown> {
  const text = await readText(response, CARD_BYTES);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ClientError("card", "The agent card is not JSON", { cause });
  }
}

function isTrusted(endpoint: string, asked: string, trusted: readonly string[]): boolean {
  const origin = sameMachine(new URL(endpoint));
  return [asked, ...trusted].some((url) => URL.canParse(url) && sameMachine(new URL(url)) === origin);
}

/** The origin, with one name for the names of this machine. */
function sameMachine(url: URL): string {
  const local = url.hostname === "localhost" || url.hostname === "[::1]" || /^127\./.test(url.hostname);
  return local ? `${url.protocol}//localhost:${url.port}` : url.origin;
}
