import type { RemoteAgent } from "@agent-service/a2a-protocol/client";
import { type ConsoleApi, shellArgument } from "../../api/index.ts";

/** A request as it would be sent. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | undefined;
}

/** Headers left out: the older name of another header, and the key that would make every repetition the same request. */
const LEFT_OUT: ReadonlySet<string> = new Set(["x-a2a-extensions", "idempotency-key"]);

/** A request as a shell command. The token is a variable of the shell: the command may be pasted anywhere. */
export function curlOf({ url, method, headers, body }: SentRequest): string {
  const lines = [`curl -N${method === "GET" ? "" : ` -X ${method}`} ${shellArgument(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (LEFT_OUT.has(name)) continue;
    lines.push(
      name === "authorization" ? `-H "authorization: Bearer $AGENT_TOKEN"` : `-H ${shellArgument(`${name}: ${value}`)}`,
    );
  }
  if (body !== undefined) lines.push(`-d ${shellArgument(body)}`);
  return lines.join(" \\\n  ");
}

/** The request that a call of the agent makes, without making it. Rejects where the agent's card cannot be read. */
export async function requestOf(
  api: Pick<ConsoleApi, "agentOver">,
  call: (agent: RemoteAgent) => Promise<unknown>,
): Promise<SentRequest> {
  let seen: SentRequest | undefined;
  const agent = await api.agentOver(async (input, init) => {
    const request = new Request(input, init);
    // Only the read of the card is sent: it changes nothing.
    if (request.method === "GET") return globalThis.fetch(request);
    const { url, method, headers } = request;
    seen = { url, method, headers: Object.fromEntries(headers), body: (await request.text()) || undefined };
    return new Response(undefined, { status: 400 });
  });
  await call(agent).catch(() => {});
  if (seen === undefined) throw new Error("The agent's client made no request.");
  return seen;
}
