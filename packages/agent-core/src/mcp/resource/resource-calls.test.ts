/** The tools for the resources of a server (M12): a real server over HTTP, a real store. */
import type { ServerResponse } from "node:http";
import { fakeContext } from "@agent-service/plugin-sdk/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SECRET, serversBench } from "../../mcp-servers-bench.ts";

const bench = serversBench();
const { open, serve } = bench;
beforeEach(() => bench.begin());
afterEach(() => bench.end());

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri?: string; readonly cursor?: string; readonly _meta?: object };
}

const IMAGE = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").toString("base64");

/** A server of 2025 with resources. */
class Library {
  url = "";
  capabilities: object = { tools: {}, resources: {} };
  tools: object[] = [];
  readonly asked: Message[] = [];
  /** How often its connection ends before it answers. */
  drops = 0;

  async start(): Promise<this> {
    this.url = await serve((request, response, body) => {
      if (request.method === "GET") return response.writeHead(405).end();
      return this.#answer(JSON.parse(body === "" ? "{}" : body) as Message, response);
    });
    return this;
  }

  #answer(message: Message, response: ServerResponse): unknown {
    const { id, method, params } = message;
    if (id === undefined) return response.writeHead(202).end();
    if (method === "server/discover") return response.writeHead(400).end();
    if (method?.startsWith("resources/") === true) this.asked.push(message);
    if (method === "resources/read" && this.drops-- > 0) return response.destroy();
    const result = this.#result(method, params ?? {});
    const body = result === undefined ? { error: { code: -32601, message: "unknown" } } : { result };
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
  }

  #result(method: string | undefined, { uri, cursor }: NonNullable<Message["params"]>): object | undefined {
    const { capabilities, tools } = this;
    const serverInfo = { name: "l", version: "1" };
    if (method === "initialize") return { protocolVersion: "2025-11-25", capabilities, serverInfo };
    if (method === "tools/list") return { tools };
    if (method === "resources/list")
      return cursor === undefined
        ? { resources: [{ uri: "book://1", name: "One" }], nextCursor: "2" }
        : { resources: [{ uri: "book://2", name: `Two ${SECRET}` }] };
    if (method !== "resources/read") return undefined;
    const image = { uri, mimeType: "image/png", blob: IMAGE };
    return { contents: [{ uri, text: `Text of ${uri}, ${SECRET}` }, ...(uri === "book://2" ? [image] : [])] };
  }
}

const run = (tool: { run(input: never, context: never): unknown }, input: object) =>
  tool.run(input as never, fakeContext() as never);

test("a server with resources brings two tools, which are there before it is connected again", async () => {
  const library = await new Library().start();
  const settings = { servers: [{ name: "lib", url: library.url }] };
  const { servers, ready, tool, save, events } = await open(settings);
  await ready("lib");
  const names = () => servers.tools().map(({ name, effect, deferred, content }) => [name, effect, deferred, content]);
  const both = ["list_resources", "read_resource"].map((name) => [`lib__${name}`, "pure", true, "outside"]);
  expect(names()).toEqual(both);
  expect(servers.get("lib")).toMatchObject({ toolCount: 2, heldCount: 0 });
  expect(events).toContain('mcp.tools_changed {"count":2}');
  expect(await run(tool("lib__list_resources"), {})).toMatchObject({
    text: '- book://1 (One)\n\nThere is more: call it again with cursor "2"',
  });
  expect(await run(tool("lib__list_resources"), { cursor: "2" })).toMatchObject({ text: "- book://2 (Two ***)" });
  expect(await run(tool("lib__read_resource"), { uri: "book://2" })).toMatchObject({
    text: `book://2\nText of book://2, ${SECRET}`,
    images: [{ mimeType: "image/png" }],
  });
  expect(library.asked.at(-1)?.params?._meta).toEqual({ traceparent: "00-task-1-call-1-01" });
  // The list of a server that is not reached: what is stored.
  const later = await open({ servers: [{ name: "lib", url: "http://127.0.0.1:9/mcp" }] });
  expect(later.servers.tools().map(({ name }) => name)).toEqual(["lib__list_resources", "lib__read_resource"]);
  save({ ...settings, denylist: ["*__list_resources"] });
  expect(names()).toEqual([both[1]]);
  library.capabilities = { tools: {} };
  save(settings);
  await servers.restart("lib");
  await ready("lib");
  expect(names()).toEqual([]);
});

test("a call that was lost is made again once, and a failure is the call's", async () => {
  const library = await new Library().start();
  const { clock, ready, tool } = await open({ servers: [{ name: "lib", url: library.url }] });
  await ready("lib");
  const read = tool("lib__read_resource");
  /** What comes of a call once time goes on, as a connection that ended is opened again behind a pause. */
  const outcomeOf = async (): Promise<unknown> => {
    let outcome: unknown;
    void Promise.resolve(run(read, { uri: "book://1" })).then(
      (value) => (outcome = value),
      (error: unknown) => (outcome = error),
    );
    await expect
      .poll(async () => {
        await clock.advance(1_000);
        return outcome;
      })
      .toBeDefined();
    return outcome;
  };
  library.drops = 1;
  expect(await outcomeOf()).toMatchObject({ text: expect.stringContaining("Text of book://1") });
  library.drops = 2;
  expect(await outcomeOf()).toMatchObject({ code: "mcp.tool_error" });
});

test("a tool of the server's own under such a name is the server's", async () => {
  const library = await new Library().start();
  library.tools = [{ name: "read_resource", description: "Its own.", inputSchema: { type: "object" } }];
  const { servers, ready } = await open({ servers: [{ name: "lib", url: library.url, approve: "always" }] });
  await ready("lib");
  expect(servers.tools().map(({ name, effect }) => [name, effect])).toEqual([
    ["lib__read_resource", "effect"],
    ["lib__list_resources", "pure"],
  ]);
  expect(servers.tools().every(({ approval }) => approval !== undefined)).toBe(true);
});
