import { afterEach, describe, expect, it } from "vitest";
import { textReply } from "../testing/gateway-replies.ts";
import { type LocalGateway, localGateway } from "../testing/local-gateway.ts";
import { chatCompletions } from "./chat-completions.ts";
import { createModelRouter, type ModelConnection, type ModelRouter, type ResolvedModel } from "./model-router.ts";

const servers: LocalGateway[] = [];
const routers: ModelRouter[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await Promise.all(routers.splice(0).map((router) => router.close()));
});

async function gateway(id: string, apiKey?: string): Promise<{ server: LocalGateway; connection: ModelConnection }> {
  const server = await localGateway(textReply(id));
  servers.push(server);
  return {
    server,
    connection: { id, type: "compat-gateway", baseUrl: server.baseUrl, ...(apiKey === undefined ? {} : { apiKey }) },
  };
}

function route(connections: readonly ModelConnection[], defaultModel?: string): ModelRouter {
  const router = createModelRouter({ connections, ...(defaultModel === undefined ? {} : { defaultModel }) });
  routers.push(router);
  return router;
}

async function ask({ model, name }: Pick<ResolvedModel, "model" | "name">): Promise<string> {
  let text = "";
  const request = { model: name, messages: [], tools: [], settings: {} };
  for await (const event of model.stream(request, { signal: new AbortController().signal })) {
    if (event.kind === "text") text += event.text;
  }
  return text;
}

describe("createModelRouter (R13)", () => {
  it("takes a prefix for a connection only when it is declared; a bare name goes to the first gateway", async () => {
    const [one, two] = [await gateway("one", "key-of-one"), await gateway("two")];
    const demo: ModelConnection = { id: "demo", type: "scripted" };
    const router = route([demo, one.connection, two.connection], "two:m2");
    expect(router.resolve("qwen3:8b")).toMatchObject({ name: "qwen3:8b", connectionId: "one" });
    expect(router.resolve("bare")).toMatchObject({ name: "bare", connectionId: "one" });
    expect(router.resolve("two:qwen3:8b")).toMatchObject({ name: "qwen3:8b", connectionId: "two" });
    expect(router.resolve("demo:x")).toMatchObject({ name: "x", connectionId: "demo" });
    expect(router.resolve()).toMatchObject({ name: "m2", connectionId: "two" });
    expect(router.resolve(" ")).toMatchObject({ name: "m2", connectionId: "two" });

    expect(await ask(router.resolve("m1"))).toBe("one");
    expect(await ask(router.resolve("two:m2"))).toBe("two");
    expect(one.server.requests[0]).toMatchObject({
      body: { model: "m1" },
      headers: { authorization: "Bearer key-of-one" },
    });
    expect(two.server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("opens a connection once, when first used, and wraps it once", async () => {
    const { connection } = await gateway("one");
    const wrapped: string[] = [];
    const router = createModelRouter({
      connections: [connection],
      wrap: (model, { id }) => {
        wrapped.push(id);
        return model;
      },
    });
    routers.push(router);
    expect(wrapped).toEqual([]);
    expect(router.resolve("a").model).toBe(router.resolve("one:b").model);
    expect(wrapped).toEqual(["one"]);
  });

  it("serves the scripted model by name without a declaration (R10), unless switched off", async () => {
    const { connection } = await gateway("one");
    expect(await ask(route([]).resolve("scripted:demo"))).toContain("not a language model");
    const off = createModelRouter({ connections: [connection], scripted: false });
    expect(off.resolve("scripted:demo")).toMatchObject({ name: "scripted:demo", connectionId: "one" });
    await off.close();
  });

  it.each([
    ["bare", [], "no_gateway"],
    ["", [], "no_model"],
    ["one:", [{ id: "one", type: "compat-gateway", baseUrl: "http://host/v1" }], "no_model"],
    ["one:m", [{ id: "one", type: "compat-gateway", baseUrl: "" }], "invalid_base_url"],
    ["one:m", [{ id: "one", type: "compat-gateway", baseUrl: "gateway" }], "invalid_base_url"],
    ["one:m", [{ id: "one", type: "oauth-subscription-a" }], "no_credential"],
  ])("names what is wrong with %j over %j: %s", (value, connections, code) => {
    expect(() => route(connections).resolve(value)).toThrow(
      expect.objectContaining({ name: "ModelConfigError", code }),
    );
  });

  it.each([[["A b"]], [["one", "one"]]])("refuses the connection ids %j", (ids) => {
    const connections = ids.map((id) => ({ id, type: "compat-gateway", baseUrl: "http://host/v1" }));
    expect(() => createModelRouter({ connections })).toThrow(
      expect.objectContaining({ code: "invalid_connection_id" }),
    );
  });
});

describe("chatCompletions", () => {
  it("is a model with its name, ready for an engine", async () => {
    const { server } = await gateway("one");
    const choice = chatCompletions({ baseUrl: server.baseUrl, model: "qwen3:8b", settings: { temperature: 0 } });
    expect(choice).toMatchObject({ name: "qwen3:8b", settings: { temperature: 0 } });
    expect(await ask(choice)).toBe("one");
    await choice.close?.();
  });
});
