import { shellArgument } from "../../api/index.ts";

/** Addresses and commands that reach an agent. */
export interface ConnectExamples {
  readonly cardUrl: string;
  readonly a2a: string;
  readonly openai: string;
  /** A message over A2A by curl. */
  readonly askAgent: string;
  /** A chat completion by curl. */
  readonly askChat: string;
}

/** Examples for the agent at `address` (without a trailing slash). `token`: it requires one. */
export function connectExamples(address: string, token: boolean): ConnectExamples {
  const a2a = `${address}/a2a`;
  const openai = `${address}/v1`;
  const message = {
    ...{ jsonrpc: "2.0", id: 1, method: "message/send" },
    params: { message: { role: "user", parts: [{ kind: "text", text: "hello" }] } },
  };
  const chat = { messages: [{ role: "user", content: "hello" }] };
  return {
    cardUrl: `${address}/.well-known/agent-card.json`,
    a2a,
    openai,
    askAgent: curl(a2a, message, token),
    askChat: curl(`${openai}/chat/completions`, chat, token),
  };
}

function curl(url: string, body: unknown, token: boolean): string {
  return [
    `curl ${shellArgument(url)}`,
    ...(token ? [`-H "Authorization: Bearer $AGENT_TOKEN"`] : []),
    `-H 'Content-Type: application/json'`,
    `-d ${shellArgument(JSON.stringify(body))}`,
  ].join(" \\\n  ");
}
