import { connect, type RemoteAgent } from "@agent-service/a2a-protocol/client";
import { createOperatorClient, OperatorApiError } from "@agent-service/operator-api/client";
import type { CommandContext } from "./command.ts";
import type { FoundService } from "./find-service.ts";

/** The clients of a service, each with its credential. */
export function reachService(service: FoundService): Pick<CommandContext, "api" | "agent" | "request"> {
  const { url, token, apiKey } = service;
  const keyHeader: Record<string, string> = apiKey === undefined ? {} : { "x-api-key": apiKey };
  const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const send = (target: string, init: RequestInit): Promise<Response> =>
    // No redirect is followed: the credential is for this service.
    fetch(target, { ...init, redirect: "error", headers: { ...headersOf(init), ...keyHeader } });
  let connected: Promise<RemoteAgent> | undefined;
  return {
    api: createOperatorClient({ baseUrl: url, token: () => token, fetch: send }),
    agent: () =>
      (connected ??= connect(url, {
        bearer: token,
        apiKey,
        fetch: async (input, init = {}) => atAddress(await fetch(input, init), url),
      })),
    async request(path, init) {
      const response = await send(url + path, { ...init, headers: { ...headersOf(init), ...bearer } });
      if (response.ok) return response;
      const body: unknown = await response.json().catch(() => undefined);
      throw new OperatorApiError(response.status, body, undefined);
    },
  };
}

function headersOf({ headers }: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}

/**
 * The service's card names its public address (`A2A_PUBLIC_URL`). A client that uses another one, through a
 * tunnel or on the machine itself, keeps using it.
 */
async function atAddress(response: Response, url: string): Promise<Response> {
  if (!response.ok || !/\/agent(?:-card)?\.json$/.test(new URL(response.url).pathname)) return response;
  const text = await response.text();
  const moved = new Response(cardAt(text, url), { status: response.status, headers: response.headers });
  Object.defineProperty(moved, "url", { value: response.url });
  return moved;
}

function cardAt(text: string, url: string): string {
  try {
    const card = JSON.parse(text, (key, value: unknown) =>
      key === "url" && typeof value === "string" && /\/a2a\/?$/.test(value) ? `${url}/a2a` : value,
    ) as unknown;
    return JSON.stringify(card);
  } catch {
    // Not such a service: reading the card reports it.
    return text;
  }
}
