import { expect, test } from "vitest";
import { createConsoleApi } from "./console-api.ts";

const card = {
  ...{ name: "one", version: "1", capabilities: { streaming: true }, skills: [] },
  supportedInterfaces: [{ url: "http://127.0.0.1:7870/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
};

test("the agent is talked to where the page came from, whatever address its card names", async () => {
  const asked: string[] = [];
  const page = {
    addEventListener: () => {},
    localStorage: { getItem: () => "secret" },
    fetch: async (url: string) => {
      asked.push(url);
      return url.endsWith("agent-card.json")
        ? Response.json(card)
        : Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32001, message: "There is no such task" } });
    },
  } as unknown as Window & typeof globalThis;
  const api = createConsoleApi({ console: "/agents/one/app", agent: "https://hub.example/agents/one" }, page);
  const agent = await api.agent();
  await expect(agent.get("t")).rejects.toThrow("no such task");
  expect(asked).toEqual([
    "https://hub.example/agents/one/a2a/.well-known/agent-card.json",
    "https://hub.example/agents/one/a2a",
  ]);
});

test("the agent's card is asked for once, and anew with another token", async () => {
  let kept = "old";
  const asked: unknown[] = [];
  const page = {
    addEventListener: () => {},
    localStorage: {
      getItem: () => kept,
      setItem: (_: string, value: string) => {
        kept = value;
      },
    },
    fetch: async (_: string, { method, headers }: RequestInit) => {
      asked.push(method === "POST" ? new Headers(headers).get("authorization") : "card");
      return Response.json(card);
    },
  } as unknown as Window & typeof globalThis;
  const api = createConsoleApi({ console: "/app", agent: "http://127.0.0.1:7870" }, page);
  const ask = async (): Promise<unknown> => (await api.agent()).get("t").catch(() => undefined);
  await ask();
  await ask();
  api.token.write("new");
  await ask();
  expect(asked).toEqual(["card", "Bearer old", "Bearer old", "card", "Bearer new"]);
});
