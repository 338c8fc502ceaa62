import type { RemoteAgent } from "@agent-service/a2a-protocol/client";
import type { ConsoleApi } from "../../api/index.ts";

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
  const lines = [`curl -N${method === "GET" ? "" : ` -X ${method}`} ${quoted(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (LEFT_OUT.has(name)) continue;
    lines.push(
      name === "authorization" ? `-H "authorization: Bearer $AGENT_TOKEN"` : `-H ${quoted(`${name}: ${value}`)}`,
    );
  }
  if (body !== undefined) lines.push(`-d ${quoted(body)}`);
  return lines.join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The request that a call of the agent makes, without making it. Rejects where the agent's card cannot be read. */
export async function requestOf(api: ConsoleApi, call: (agent: RemoteAgent) => Promise<unknown>): Promise<SentRequest> {
  let seen: SentRequest | undefined;
  const agent = await api.agentOver((input, init) => {
    if (init?.method !== "POST" || typeof input !== "string" || typeof init.body !== "string") {
      return globalThis.fetch(input, init);
    }
    seen = { url: input, method: "POST", headers: Object.fromEntries(new Headers(init.headers)), body: init.body };
    return Promise.resolve(new Response(undefined, { status: 400 }));
  });
  await call(agent).catch(() => {});
  if (seen === undefined) throw new Error("The agent's client made no request.");
  return seen;
}
