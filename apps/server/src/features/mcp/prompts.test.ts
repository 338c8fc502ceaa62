/** Prompts of an MCP server as slash commands (M12): a program offers them, and people write them in the chat and over A2A. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type LocalGateway, localGateway, textReply } from "@agent-service/agent-core/testing";
import { createOperatorClient } from "@agent-service/operator-api/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolders, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

/** A server of 2025. What a prompt says is what it was given. */
const PROGRAM = `
  import { createInterface } from "node:readline";
  const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  const capabilities = { tools: {}, prompts: {} };
  const wanted = [{ name: "city", description: "Where.", required: true }, { name: "style" }];
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize")
      answer(id, { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "p", version: "1" } });
    else if (method === "tools/list") answer(id, { tools: [] });
    else if (method === "prompts/list")
      answer(id, { prompts: [{ name: "weather", description: "Asks for the weather.", arguments: wanted }, { name: "broken" }] });
    else if (method === "prompts/get" && params.name === "broken")
      console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "out of words" } }));
    else if (method === "prompts/get") {
      const text = "Say what the weather is in " + JSON.stringify(params.arguments);
      answer(id, { messages: [{ role: "user", content: { type: "text", text } }] });
    } else if (id !== undefined) process.exit(1);
  }
`;
const OPERATOR = { authorization: "Bearer operator-token" };
const PEER = { authorization: "Bearer peer-token" };

let gateway: LocalGateway;
let running: TestService;
const folders = temporaryFolders();

beforeAll(async () => {
  gateway = await localGateway(textReply("done"));
  mkdirSync(folders.home, { recursive: true });
  const program = join(folders.home, "server.mjs");
  writeFileSync(program, PROGRAM);
  const servers = [{ name: "sky", command: process.execPath, args: [program] }];
  const config = `
auth: { token: operator-token, federation_token: peer-token }
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }
model: { name: "gw:m", max_retries: 0 }
prompt_cache: { enabled: false }
mcp: ${JSON.stringify({ enabled: true, servers })}
`;
  running = await startTestService({ folders, config, env: { PATH: process.env.PATH ?? "" } });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
  folders.remove();
});

const client = () => createOperatorClient({ baseUrl: running.url, token: "operator-token" });
const listed = async () =>
  (await client().get("/api/chat/commands")).commands.filter(({ kind }) => kind === "mcp_prompt");
/** The last messages of the requests to the model; one may be for a chat's title. */
const asked = () =>
  gateway.requests.map(({ body }) => (body as { readonly messages: readonly Message[] }).messages.at(-1)?.content);

interface Message {
  readonly content: string;
}
const storePath = () => {
  const stores = readdirSync(folders.home, { recursive: true, encoding: "utf8" });
  return join(folders.home, stores.find((path) => path.endsWith("checkpoints.db")) ?? "");
};
const chat = (message: string) => client().post("/api/chat", { body: { message } });

it("are listed with their arguments, and shown with the server's definitions", async () => {
  await expect.poll(listed).toEqual([
    { name: "sky__broken", kind: "mcp_prompt", description: "broken", usage: "/sky__broken", arguments: [] },
    {
      ...{ name: "sky__weather", kind: "mcp_prompt", description: "Asks for the weather" },
      usage: "/sky__weather <city> [style]",
      arguments: [
        { name: "city", description: "Where.", required: true },
        { name: "style", required: false },
      ],
    },
  ]);
  const { tools } = await client().get("/api/mcp/servers/{name}", { params: { name: "sky" } });
  expect(tools).toMatchObject([
    { kind: "prompt", name: "broken", full_name: "sky__broken", state: "on" },
    { kind: "prompt", name: "weather", input_schema: { required: ["city"] } },
  ]);
});

it("lead a turn with what the server makes of the arguments, in the chat and over A2A", async () => {
  expect(await chat("/sky__weather Paris in short")).toMatchObject({ response: "done" });
  expect(asked()).toContain('Say what the weather is in {"city":"Paris","style":"in short"}');
  await running.wireAs(OPERATOR).say("/sky__weather style=long Rome");
  expect(asked()).toContain('Say what the weather is in {"city":"Rome","style":"long"}');
  await running.wireAs(PEER).say("/sky__weather Bonn");
  expect(asked()).toContain("/sky__weather Bonn");
});

it("mark the conversation as one with words from outside, and an asked-again turn too", async () => {
  const store = new DatabaseSync(storePath(), { readOnly: true, timeout: 5_000 });
  const marks = async () =>
    store
      .prepare("SELECT body FROM message WHERE kind = 'tainted' ORDER BY id")
      .all()
      .map(({ body }) => (JSON.parse(String(body)) as { readonly by: string }).by);
  const before = (await marks()).length;
  const { session_id: session } = await chat("/sky__weather Oslo");
  expect((await marks()).slice(before)).toEqual(["sky__weather"]);
  await client().post("/api/chat/sessions/{id}/regenerate", { params: { id: session }, body: {} });
  await expect
    .poll(() => asked().filter((text) => text === 'Say what the weather is in {"city":"Oslo"}'))
    .toHaveLength(2);
  expect((await marks()).slice(before)).toEqual(["sky__weather", "sky__weather"]);
  store.close();
});

it("answer with what is missing or went wrong, and ask no model", async () => {
  expect((await chat("/sky__weather")).response).toBe("It needs city. It is written `/sky__weather <city> [style]`.");
  expect(textOf(await running.wireAs(OPERATOR).say("/sky__broken"))).toContain("sky: out of words");
});
