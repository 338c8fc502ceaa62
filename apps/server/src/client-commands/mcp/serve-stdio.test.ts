/** `agent-service mcp serve` as MCP clients start it. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../../testing/index.ts";
import { commandArguments } from "../../testing/service-process.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import type { CommandIo } from "../command-io.ts";
import { EXIT } from "../exit-code.ts";
import { runClientCommand } from "../run-client-command.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({
    config: "auth: { token: secret-token }\nmcp: { expose: { enabled: true, tools: [calculator] } }\n",
  });
});
afterAll(() => running.stop());

test.each(["legacy", "auto"] as const)("a client of the era %s calls a tool over its pipes", async (mode) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...commandArguments(), ...["mcp", "serve", "--url", running.url]],
    env: {
      PATH: process.env.PATH ?? "",
      A2A_AUTH_TOKEN: "secret-token",
      SVC_HOME: running.folders.home,
      SVC_CONFIG_DIR: running.folders.config,
    },
  });
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  const answer = await client.callTool({ name: "calculator", arguments: { expression: "2 + 3" } });
  expect(answer.content).toEqual([{ type: "text", text: "5" }]);
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  await client.close();
});

/** Runs the command with these lines as its input; each line of its output is a message. */
async function bridge(lines: readonly (string | object)[], token = "secret-token", args: readonly string[] = []) {
  const out = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      out[name] += text;
    },
    ...{ terminal: false, columns: 80 },
  });
  const io: CommandIo = {
    env: { SVC_HOME: "/nonexistent", SVC_CONFIG_DIR: "/nonexistent", A2A_AUTH_TOKEN: token },
    ...{ stdout: sink("stdout"), stderr: sink("stderr"), keyboard: undefined, piped: undefined },
    async *lines() {
      for (const line of lines) yield typeof line === "string" ? line : JSON.stringify(line);
    },
    ...{ onInterrupt: () => () => {}, pause: async () => {}, checkoutRoot: undefined },
  };
  const code = await runClientCommand(["mcp", "serve", "--url", running.url, ...args], io);
  const messages = out.stdout.split("\n").filter((line) => line !== "");
  return { code, ...out, messages: messages.map((line) => JSON.parse(line) as Json) };
}
const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });

test("every line is answered by a message of the protocol, and by nothing else", async () => {
  const answered = await bridge(["nonsense", "[]", ping(1), { jsonrpc: "2.0", method: "notifications/initialized" }]);
  expect([answered.code, answered.stderr]).toEqual([EXIT.ok, ""]);
  expect(answered.messages).toMatchObject([
    { error: { code: -32_700 } },
    { error: { code: -32_600 } },
    { id: 1, result: {} },
  ]);
});

test("a refused credential and a service that is off are errors of the request", async () => {
  const { messages: refused } = await bridge([ping(1)], "wrong");
  expect(refused).toMatchObject([{ id: 1, error: { message: expect.stringContaining("credential") } }]);
  running.folders.configure("auth: { token: secret-token }\n");
  running.live.reload();
  const { messages: off } = await bridge([ping(2)]);
  expect(off).toMatchObject([{ id: 2, error: { message: expect.stringContaining("mcp.expose.enabled") } }]);
  expect((await bridge([], "secret-token", ["--json"])).code).toBe(EXIT.usage);
});
