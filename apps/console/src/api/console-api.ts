import { connect, type RemoteAgent } from "@agent-service/a2a-protocol/client";
import { createOperatorClient, type OperatorClient } from "@agent-service/operator-api/client";
import type { BaseUrls } from "./base-urls.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { createStored, type Stored } from "./stored.ts";
import { wait } from "./wait.ts";

/** Everything the console reads and does goes through it: the operator API, the agent over A2A, and server events. */
export interface ConsoleApi {
  readonly baseUrls: BaseUrls;
  /** The operator API, with the current token. */
  readonly operator: OperatorClient;
  /** The agent over A2A; connected once for each token. Rejects with `ClientError`. */
  agent(): Promise<RemoteAgent>;
  /** A new connection to the agent over this `fetch`, which sees what goes over the wire. */
  agentOver(fetch: typeof globalThis.fetch): Promise<RemoteAgent>;
  readonly events: EventStream;
  /** The operator's token, in the browser's storage under `protoagent.authToken` (N2). */
  readonly token: Stored;
  /** The theme of this browser; read before the first paint. */
  readonly theme: Stored;
  /** `on` where a person wants tabs for open chats. */
  readonly chatTabs: Stored;
  /** `on` where this browser shows notifications of prompts. */
  readonly notify: Stored;
  /** What was opened from the palette last, as a JSON list of ids. */
  readonly recentCommands: Stored;
  /** Width of the list column in this browser, in pixels. */
  readonly listWidth: Stored;
  /** Anything where the offer to extract memories from conversations was answered in this browser. */
  readonly harvestOffered: Stored;
}

/** Storage key of the theme. */
export const THEME_KEY = "agent-service.theme";

/** Creates the API of the console. */
export function createConsoleApi(baseUrls: BaseUrls, window: Window & typeof globalThis): ConsoleApi {
  const token = createStored("protoagent.authToken", window);
  let connected: { readonly token: string | undefined; readonly agent: Promise<RemoteAgent> } | undefined;
  const authorization = (): Record<string, string> => {
    const bearer = token.read();
    return bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  };
  const untilLeft = abortOnLeave(window);
  const dial = (bearer: string | undefined, fetch: typeof globalThis.fetch): Promise<RemoteAgent> =>
    connect(`${baseUrls.agent}${CARD}`, {
      bearer,
      headers: { "X-A2A-Extensions": EXTENSIONS, "A2A-Extensions": EXTENSIONS },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        return urlOf(input).endsWith(CARD) && response.ok ? cardAtOrigin(response, baseUrls) : response;
      },
    });
  return {
    baseUrls,
    token,
    theme: createStored(THEME_KEY, window),
    chatTabs: createStored("agent-service.chat-tabs-shown", window),
    notify: createStored("agent-service.notify", window),
    recentCommands: createStored("agent-service.recent-commands", window),
    listWidth: createStored("agent-service.list-width", window),
    harvestOffered: createStored("agent-service.harvest-offered", window),
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
 * Returns a function that adds to a signal an abort when the page is left. Browsers keep left pages with their streams for
 * the back button, and allow six connections to an origin: after six pages none would be free. A page that is shown again
 * resumes its streams.
 */
function abortOnLeave(window: Window): (signal: AbortSignal | null | undefined) => AbortSignal {
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
 * Replaces the addresses of the agent card by the page's own origin. The card names the address for other agents; the page
 * may come from another host name or through a proxy, and may only connect to its own origin.
 */
async function cardAtOrigin(response: Response, baseUrls: BaseUrls): Promise<Response> {
  const card = (await response.json()) as { readonly supportedInterfaces?: readonly object[] };
  const interfaces = card.supportedInterfaces?.map((one) => ({ ...one, url: `${baseUrls.agent}/a2a` }));
  return Response.json({ ...card, ...(interfaces && { supportedInterfaces: interfaces }) });
}

/** The A2A extensions the console asks for. */
const EXTENSIONS = ["tool-call", "cost", "stream-cursor", "idempotency", "reasoning"]
  .map((name) => `urn:agent-service:a2a:ext:${name}-v1`)
  .join(", ");
