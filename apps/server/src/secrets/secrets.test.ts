/** Where a secret must not arrive (S5): answers, streams, errors, metrics, the log and the store. */
import type { AnyTool } from "@agent-service/agent-core/host";
import { errorReply, localGateway } from "@agent-service/agent-core/testing";
import * as v from "valibot";
import { expect, test } from "vitest";
import { filesBelow } from "../testing/files-below.ts";
import { ask, type Json, temporaryFolders, textOf, textParams } from "../testing/index.ts";
import { startTestService } from "../testing/test-service.ts";

const TOKEN = "operator-token-92c41";
const PEER = "peer-token-77d30";
const API_KEY = "api-key-5519-qqq";
const GATEWAY_KEY = "gateway-key-8f2a1";
const SEARCH_KEY = "search-key-3c3c3c";
/** A secret that the service was not given, recognised by its shape. */
const SHAPED = "sk-abcdefghijklmnop0123456789";
const SECRETS = [TOKEN, PEER, API_KEY, GATEWAY_KEY, SEARCH_KEY];

const tool = (name: string, run: () => unknown, more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: "A tool that knows too much.",
  input: v.object({}),
  effect: "pure",
  run: () => run() as string,
  ...more,
});

const tools: readonly AnyTool[] = [
  tool("tells", () => `the token is ${TOKEN}, its base64 ${Buffer.from(TOKEN).toString("base64")}`),
  tool("tells_json", () => ({ env: { WHATEVER: GATEWAY_KEY, list: [API_KEY] }, kept: "plain" })),
  tool("throws", () => {
    throw new Error(`cannot log in with ${SEARCH_KEY} and ${SHAPED}`);
  }),
  tool("shows", () => ({
    type: "tool-result",
    text: PEER,
    component: { component: "keyvalue", props: { items: [{ label: "t", value: PEER }] } },
  })),
  tool("asks", () => "never", {
    effect: "effect",
    approval() {
      throw new Error(`no approval with ${TOKEN}`);
    },
  }),
  tool("reads_a_file", () => `password=hunter2-and-more\ncommit ${SHAPED}`),
];

/** Every byte that the service has put under a folder. */
function bytesBelow(folder: string): Buffer {
  return Buffer.concat(filesBelow(folder).map(({ bytes }) => bytes));
}

test("no secret reaches an answer, a stream, an error, the metrics, the log or the store", async () => {
  const gateway = await localGateway(errorReply(401, `bad key ${GATEWAY_KEY}, and who are you, ${TOKEN}?`));
  const folders = temporaryFolders();
  const outputs: string[] = [];
  const running = await startTestService({
    folders,
    config: `
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}", api_key: ${GATEWAY_KEY} }
  - { id: scripted, type: scripted }
model: { name: "scripted:demo", max_retries: 0 }
`,
    env: {
      A2A_AUTH_TOKEN: TOKEN,
      A2A_FEDERATION_TOKEN: PEER,
      PROTOAGENT_API_KEY: API_KEY,
      WEB_SEARCH_API_KEY: SEARCH_KEY,
    },
    tools,
  });
  const operator = running.wireAs({ "x-api-key": API_KEY });
  const calls = ["tells", "tells_json", "throws", "shows", "asks"].map((name) => `/call ${name} {}`);
  for (const script of calls) {
    const events = await (await operator.stream("message/stream", textParams(script))).rest();
    outputs.push(...events.map(({ frame }) => JSON.stringify(frame)));
    outputs.push(JSON.stringify(await operator.result("tasks/get", { id: events[0]?.frame.id })));
  }
  const failed = await operator.say("hello", {}, { metadata: { model: "gw:any" } });
  expect(failed.status).toMatchObject({
    state: "failed",
    message: { parts: [{ text: expect.stringContaining("401") }] },
  });
  outputs.push(JSON.stringify(failed));
  for (const path of ["/metrics", "/healthz", "/.well-known/agent-card.json", `/a2a?token=${TOKEN}`, "/nothing"]) {
    outputs.push((await ask(running.port, { path, headers: { authorization: `Bearer ${TOKEN}` } })).text);
  }
  for (const params of [{ id: 7 }, { id: "none" }, { message: { role: "user", parts: [{ kind: TOKEN.length }] } }]) {
    outputs.push(JSON.stringify((await operator.answer("message/send", params)).body));
  }
  const log = running.log.join("");
  await running.stop();
  await gateway.close();

  const everything = outputs.join("\n");
  expect(everything.match(/\*\*\*/g)?.length).toBeGreaterThan(calls.length);
  const stored = bytesBelow(folders.home);
  expect(stored.includes("the token is ***")).toBe(true);
  for (const secret of [...SECRETS, Buffer.from(TOKEN).toString("base64")]) {
    expect([secret, everything.includes(secret), log.includes(secret), stored.includes(secret)]).toEqual([
      secret,
      false,
      false,
      false,
    ]);
  }
  // What only looks like a secret is redacted in errors only, where no one needs it.
  expect([everything.includes(SHAPED), stored.includes(SHAPED)]).toEqual([false, false]);
  folders.remove();
});

test("what a tool reads is content: only secrets of this service are taken out of it", async () => {
  await using running = await startTestService({ tools, env: { A2A_AUTH_TOKEN: TOKEN } });
  const operator = running.wireAs({ authorization: `Bearer ${TOKEN}` });
  expect(textOf(await operator.say("/call reads_a_file {}"))).toContain(`password=hunter2-and-more\ncommit ${SHAPED}`);
  const json = textOf(await operator.say("/call tells_json {}"));
  expect(json).toContain('"kept":"plain"');
});

test("a component without its secrets is still that component", async () => {
  await using running = await startTestService({ tools, env: { A2A_AUTH_TOKEN: TOKEN, A2A_FEDERATION_TOKEN: PEER } });
  const task = await running.wireAs({ authorization: `Bearer ${TOKEN}` }).say("/call shows {}");
  const shown = task.artifacts.find(({ artifactId }: Json) => artifactId.startsWith("component-"));
  expect(shown.parts[0].data).toEqual({ component: "keyvalue", props: { items: [{ label: "t", value: "***" }] } });
});
