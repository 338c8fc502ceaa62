import type { RemoteAgent } from "@agent-service/a2a-protocol/client";
import { type ConsoleApi, shellWord } from "../../api/index.ts";

/** A request as it would go out. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | undefined;
}

/** The older name of a header that is there, and a key that would make every repetition the same request. */
const LEFT_OUT: ReadonlySet<string> = new Set(["x-a2a-extensions", "idempotency-key"]);

/** A request as a shell command. The token is a variable of the shell: what is copied may be pasted anywhere. */
export function curlOf({ url, method, headers, body }: SentRequest): string {
  const lines = [`curl -N${method === "GET" ? "" : ` -X ${method}`} ${shellWord(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (LEFT_OUT.has(name)) continue;
    lines.push(
      name === "authorization" ? `-H "authorization: Bearer $AGENT_TOKEN"` : `-H ${shellWord(`${name}: ${value}`)}`,
    );
  }
  if (body !== undefined) lines.push(`-d ${shellWord(body)}`);
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
    // Only what changes nothing goes out: the card.
    if (request.method === "GET") return globalThis.fetch(request);
    const { url, method, headers } = request;
    seen = { url, method, headers: Object.fromEntries(headers), body: (await request.text()) || undefined };
    return new Response(undefined, { status: 400 });
  });
  await call(agent).catch(() => {});
  if (seen === undefined) throw new Error("The agent's client made no request.");
  return seen;
}
