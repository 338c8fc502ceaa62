import { connect, type RemoteAgent } from "@agent-service/a2a-protocol/client";
import { createOperatorClient, type OperatorClient } from "@agent-service/operator-api/client";
import type { BaseUrls } from "./base-urls.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { createStored, type Stored } from "./stored.ts";
import { wait } from "./wait.ts";

/** Everything the console reads and does goes through here: the operator API, the agent over A2A, and what changes. */
export interface ConsoleApi {
  readonly baseUrls: BaseUrls;
  /** The operator API, with the token of the moment. */
  readonly operator: OperatorClient;
  /** The agent over A2A; connected once for a token. Rejects with `ClientError`. */
  agent(): Promise<RemoteAgent>;
  /** The same over a `fetch` that sees what goes over the wire; connected anew. */
  agentOver(fetch: typeof globalThis.fetch): Promise<RemoteAgent>;
  readonly events: EventStream;
  /** The operator's token (browser key `protoagent.authToken`, N2). */
  readonly token: Stored;
  /** How bright this browser shows the console; read before the first paint. */
  readonly theme: Stored;
  /** `on` where this browser tells of what waits. */
  readonly notify: Stored;
  /** How wide this browser shows the column with a screen's list, in pixels. */
  readonly listWidth: Stored;
}

/** Where the browser keeps the brightness. */
export const THEME_KEY = "agent-service.theme";

/** Makes the console's way to its agent. */
export function createConsoleApi(baseUrls: BaseUrls, window: Window & typeof globalThis): ConsoleApi {
  const token = createStored("protoagent.authToken", window);
  let connected: { readonly token: string | undefined; readonly agent: Promise<RemoteAgent> } | undefined;
  const authorization = (): Record<string, string> => {
    const bearer = token.read();
    return bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  };
  const untilLeft = endedByLeaving(window);
  const dial = (bearer: string | undefined, fetch: typeof globalThis.fetch): Promise<RemoteAgent> =>
    connect(`${baseUrls.agent}${CARD}`, {
      bearer,
      headers: { "X-A2A-Extensions": EXTENSIONS, "A2A-Extensions": EXTENSIONS },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        return urlOf(input).endsWith(CARD) && response.ok ? cardHere(response, baseUrls) : response;
      },
    });
  return {
    baseUrls,
    token,
    theme: createStored(THEME_KEY, window),
    notify: createStored("agent-service.notify", window),
    listWidth: createStored("agent-service.list-width", window),
    operator: createOperatorClient({ baseUrl: baseUrls.agent, token: () => token.read() }),
    agent() {
      const bearer = token.read();
      if (connected === undefined || connected.token !== bearer) {
        const agent = dial(bearer, (input, init) => window.fetch(input, { ...init, signal: untilLeft(init?.signal) }));
        connected = { token: bearer, agent };
        agent.catch(() => {
          connected = undefined;
        });
      }
      return connected.agent;
    },
    agentOver: (fetch) => dial(token.read(), fetch),
    events: createEventStream({
      open: (after, signal) =>
        window.fetch(`${baseUrls.agent}/api/events`, {
          signal: untilLeft(signal),
          headers: {
            accept: "text/event-stream",
            ...authorization(),
            ...(after === undefined ? {} : { "last-event-id": after }),
          },
        }),
      later(run, ms) {
        const timer = window.setTimeout(run, ms);
        return () => window.clearTimeout(timer);
      },
      wait,
    }),
  };
}

/**
 * Ends what is followed when the page is left. The browser may keep a page that was left, to come back to it, and its
 * streams with it: it has six connections to an address, and after as many pages none was free for the next one. Who
 * comes back picks up where it broke.
 */
function endedByLeaving(window: Window): (signal: AbortSignal | null | undefined) => AbortSignal {
  let left = new AbortController();
  window.addEventListener("pagehide", () => left.abort(new DOMException("The page was left.", "NetworkError")));
  window.addEventListener("pageshow", () => {
    if (left.signal.aborted) left = new AbortController();
  });
  return (signal) => (signal == null ? left.signal : AbortSignal.any([signal, left.signal]));
}

const CARD = "/a2a/.well-known/agent-card.json";

function urlOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : String(input);
}

/**
 * The card names the address that other agents use. The page may have come another way, by another name of the machine or
 * through a proxy, and may only talk to where it came from.
 */
async function cardHere(response: Response, baseUrls: BaseUrls): Promise<Response> {
  const card = (await response.json()) as { readonly supportedInterfaces?: readonly object[] };
  const interfaces = card.supportedInterfaces?.map((one) => ({ ...one, url: `${baseUrls.agent}/a2a` }));
  return Response.json({ ...card, ...(interfaces && { supportedInterfaces: interfaces }) });
}

/** What the console wants to be told of beside the answer. */
const EXTENSIONS = ["tool-call", "cost", "stream-cursor", "idempotency", "reasoning"]
  .map((name) => `urn:agent-service:a2a:ext:${name}-v1`)
  .join(", ");
