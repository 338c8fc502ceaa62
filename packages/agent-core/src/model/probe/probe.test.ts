import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  chunkEvent,
  endEvents,
  errorReply,
  type GatewayReply,
  type GatewayScript,
  localGateway,
  textReply,
  toolReply,
} from "../../testing/index.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { compatGateway } from "../compat-gateway/index.ts";
import { findLocalModels, GatewayFacts, listModels, tryModel } from "./index.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function server(script: GatewayScript) {
  const gateway = await localGateway(script, { scriptsLists: true });
  ends.push(() => gateway.close());
  return gateway;
}

const jsonReply = (value: unknown): GatewayReply => ({
  headers: { "content-type": "application/json" },
  steps: [JSON.stringify(value)],
});

/** The error of a server that does not answer. */
const SILENT = { code: "timeout" };

describe("listModels", () => {
  it.each<[string, unknown, unknown]>([
    ["OpenAI", { object: "list", data: [{ id: "gpt-b" }, { id: "gpt-a" }] }, [{ name: "gpt-a" }, { name: "gpt-b" }]],
    ["vLLM", { data: [{ id: "q", max_model_len: 32_768 }] }, [{ name: "q", contextWindow: 32_768 }]],
    [
      "OpenRouter",
      { data: [{ id: "x/y", context_length: 9, architecture: { input_modalities: ["text", "image"] } }] },
      [{ name: "x/y", contextWindow: 9, vision: true }],
    ],
    [
      "LM Studio",
      { data: [{ id: "v", type: "vlm", max_context_length: 100, loaded_context_length: 10 }] },
      [{ name: "v", contextWindow: 10, vision: true }],
    ],
    ["llama.cpp", { models: [{ name: "l", meta: { n_ctx_train: 4096 } }] }, [{ name: "l", contextWindow: 4096 }]],
    [
      "LiteLLM",
      { data: [{ id: "m", model_info: { max_input_tokens: 7, supports_vision: false } }] },
      [{ name: "m", contextWindow: 7, vision: false }],
    ],
    [
      "OpenRouter with efforts",
      {
        data: [
          {
            id: "a",
            supported_parameters: ["tools", "reasoning"],
            reasoning: { supported_efforts: ["high", "low", 7] },
          },
          { id: "b", supported_parameters: ["tools", "reasoning"], reasoning: { supported_efforts: null } },
          { id: "c", supported_parameters: ["tools"] },
        ],
      },
      [
        { name: "a", efforts: ["low", "high"] },
        { name: "b", efforts: ["low", "medium", "high"] },
        { name: "c", efforts: [] },
      ],
    ],
    [
      "OpenRouter with prices",
      {
        data: [
          { id: "x/y", pricing: { prompt: "0.0000025", completion: "0.00001", input_cache_read: "0", image: "1" } },
        ],
      },
      [{ name: "x/y", price: { input: 2.5, output: 10, cacheRead: 0 } }],
    ],
    ["a router of models", { data: [{ id: "auto", pricing: { prompt: "-1", completion: "-1" } }] }, [{ name: "auto" }]],
    [
      "Vercel's gateway",
      { data: [{ id: "v", context_window: 9, pricing: { input: "0.000001", output: "0.000002" } }] },
      [{ name: "v", contextWindow: 9, price: { input: 1, output: 2 } }],
    ],
    [
      "Together",
      [{ id: "t", pricing: { input: 0.3, output: 0.6, hourly: 0 } }],
      [{ name: "t", price: { input: 0.3, output: 0.6 } }],
    ],
    [
      "LiteLLM with prices",
      {
        data: [
          {
            model_name: "m",
            litellm_params: { model: "openai/m" },
            model_info: { input_cost_per_token: 1e-6, output_cost_per_token: null, cache_read_input_token_cost: 1e-7 },
          },
        ],
      },
      [{ name: "m", price: { input: 1, cacheRead: 0.1 } }],
    ],
    ["a bare list with nonsense in it", [null, 3, { id: "" }, { id: "ok" }, { id: "ok" }], [{ name: "ok" }]],
  ])("reads the form of %s", async (_, answer, models) => {
    const { baseUrl, requests } = await server(jsonReply(answer));
    expect(await listModels({ baseUrl: `${baseUrl}/`, apiKey: " sk-1 " })).toEqual(models);
    expect([requests[0]?.path, requests[0]?.headers.authorization]).toEqual(["/v1/models", "Bearer sk-1"]);
  });

  it.each<[string, GatewayReply, object]>([
    ["401", errorReply(401, "bad key sk-1"), { code: "unauthorized", message: "answered 401" }],
    ["500", errorReply(500, "oops"), { code: "upstream" }],
    [
      "a redirect, which is not followed",
      { status: 302, headers: { location: "/v1/models" }, steps: [] },
      { code: "bad_response" },
    ],
    ["a page", { steps: ["<html>"] }, { code: "bad_response", message: "answered something that is not JSON" }],
    ["an object", jsonReply({ ok: true }), { code: "bad_response" }],
    ["too much", { steps: ["x".repeat(5 * 1024 * 1024)] }, { code: "bad_response" }],
    ["silence", { before: new Promise(() => {}), steps: [] }, SILENT],
    ["a cut", { steps: [{ do: "cut" }] }, { code: "network" }],
  ])("refuses %s", async (_, reply, error) => {
    const { baseUrl, requests } = await server(reply);
    const timeoutMs = error === SILENT ? 300 : 60_000;
    await expect(listModels({ baseUrl, apiKey: "sk-1", timeoutMs })).rejects.toMatchObject(error);
    expect(requests).toHaveLength(1);
  });
});

describe("GatewayFacts", () => {
  it("reads a gateway once, beside who asks, and has nothing until then", async () => {
    const gate = Promise.withResolvers<void>();
    const list = jsonReply({ data: [{ id: "m", max_model_len: 32_768 }] });
    const { baseUrl, requests } = await server({ ...list, before: gate.promise });
    const facts = new GatewayFacts({ baseUrl, apiKey: "sk-1" });
    expect(facts.of("m")).toBeUndefined();
    gate.resolve();
    await facts.read();
    expect(facts.of("m")).toEqual({ name: "m", contextWindow: 32_768 });
    expect(facts.of("other")).toBeUndefined();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer sk-1"]);
  });

  it("has no facts where the gateway does not list", async () => {
    const { baseUrl } = await server(errorReply(500, "oops"));
    const facts = new GatewayFacts({ baseUrl });
    await facts.read();
    expect(facts.of("m")).toBeUndefined();
  });
});

describe("tryModel", () => {
  const call = toolReply({ name: "report_ready", args: { ready: true } });
  const tried = async (...replies: GatewayReply[]) => {
    const gateway = await server(
      (_request, count) => replies[count - 1] ?? errorReply(500, "more calls than expected"),
    );
    const model = compatGateway({ baseUrl: gateway.baseUrl, name: "local" });
    ends.push(() => model.close());
    return { trial: await tryModel({ model, name: "m" }), gateway };
  };

  it("makes one answer and one tool call", async () => {
    const { trial, gateway } = await tried(textReply("ready"), call);
    expect(trial).toMatchObject({ answer: { ok: true }, toolCall: { ok: true } });
    expect(gateway.requests.map(({ body }) => (body as { tools?: unknown[] }).tools?.length ?? 0)).toEqual([0, 1]);
  });

  it("takes reasoning that was cut off for an answer", async () => {
    const thought = { steps: [chunkEvent({ reasoning_content: "Hm" }), endEvents("length")] };
    expect((await tried(thought, call)).trial).toMatchObject({ answer: { ok: true }, toolCall: { ok: true } });
  });

  it.each<[string, GatewayReply[], object]>([
    ["no answer", [errorReply(401, "who are you")], { answer: { ok: false, error: expect.stringContaining("401") } }],
    ["an empty answer", [{ steps: [endEvents("stop")] }], { answer: { ok: false, error: "the answer was empty" } }],
    [
      "no tool call",
      [textReply("ready"), textReply("I am ready!")],
      { answer: { ok: true }, toolCall: { ok: false, error: expect.stringContaining("without calling") } },
    ],
    [
      "tools refused",
      [textReply("ready"), errorReply(400, "tools are not supported")],
      { toolCall: { ok: false, error: expect.stringContaining("tools are not supported") } },
    ],
    [
      "a call that cannot be parsed",
      [textReply("ready"), toolReply({ name: "report_ready", args: "{" })],
      { toolCall: { ok: false, error: expect.stringContaining("cannot be read") } },
    ],
  ])("reports %s", async (_, replies, expected) => {
    expect((await tried(...replies)).trial).toMatchObject(expected);
  });

  it("gives up in time, and at once when aborted", async () => {
    const clock = manualClock();
    const trial = tryModel({ model: scriptedModel([[{ hang: true }]]), name: "m", timeoutMs: 500, clock });
    await clock.advance(500);
    expect(await trial).toMatchObject({
      answer: { ok: false, ms: 500, error: "no answer within 500 ms", cause: { code: "timeout" } },
    });
    const abort = new AbortController();
    const left = tryModel({ model: scriptedModel([[{ hang: true }]]), name: "m", signal: abort.signal, clock });
    abort.abort("left");
    await expect(left).rejects.toBe("left");
    expect(clock.nextAt()).toBeUndefined();
  });

  it("does not repeat the message of a bug", async () => {
    const model = scriptedModel([[{ fail: new TypeError("sk-secret") }]]);
    expect((await tryModel({ model, name: "m" })).answer).toMatchObject({ ok: false, error: "the call failed" });
  });
});

it("lists Anthropic's models as its own API does, whose chat completions take a bearer token", async () => {
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValue(Response.json({ data: [{ id: "claude-b", max_input_tokens: 200_000 }, { id: "claude-a" }] }));
  onTestFinished(() => asked.mockRestore());
  const models = await listModels({ baseUrl: "https://api.anthropic.com/v1/", apiKey: "sk-1" });
  expect(models).toEqual([{ name: "claude-a" }, { name: "claude-b", contextWindow: 200_000 }]);
  const [url, init] = asked.mock.calls[0] ?? [];
  expect(url).toBe("https://api.anthropic.com/v1/models?limit=1000");
  expect(init?.headers).toMatchObject({ "x-api-key": "sk-1", "anthropic-version": "2023-06-01" });
  expect(init?.headers).not.toHaveProperty("authorization");
});

describe("findLocalModels", () => {
  it("probes the usual ports, once each and without a key, and lists the servers that answer", async () => {
    const ollama = await server(jsonReply({ data: [{ id: "qwen3:8b" }] }));
    const other = await server(jsonReply({ hello: "world" }));
    const [ollamaPort, otherPort] = [ollama, other].map(({ baseUrl }) => Number(new URL(baseUrl).port));
    const ports = [
      ["ollama", ollamaPort!],
      ["vllm", otherPort!],
      ["llama.cpp", 9],
    ] as const;
    const found = await findLocalModels({ ports, ollamaHost: `0.0.0.0:${ollamaPort}`, timeoutMs: 60_000 });
    expect(found).toEqual([{ server: "ollama", baseUrl: ollama.baseUrl, models: [{ name: "qwen3:8b" }] }]);
    expect(ollama.requests).toHaveLength(1);
    expect(ollama.requests[0]?.headers.authorization).toBeUndefined();
    expect(await findLocalModels({ ports, exceptPorts: [ollamaPort!], timeoutMs: 60_000 })).toEqual([]);
  });

  it("takes what does not answer in time for nothing", async () => {
    const silent = await server({ before: new Promise(() => {}), steps: [] });
    const ports = [["lm-studio", Number(new URL(silent.baseUrl).port)]] as const;
    expect(await findLocalModels({ ports, timeoutMs: 300 })).toEqual([]);
    expect(silent.requests).toHaveLength(1);
  });

  it.each([
    ["127.0.0.1", "http://127.0.0.1:11434/v1"],
    [":PORT", "http://127.0.0.1:PORT/v1"],
    ["localhost:PORT/", "http://localhost:PORT/v1"],
    ["http://127.0.0.1:PORT/ollama", "http://127.0.0.1:PORT/ollama/v1"],
  ])("reads OLLAMA_HOST %s", async (value, baseUrl) => {
    const gateway = await server(jsonReply({ data: [] }));
    const { port } = new URL(gateway.baseUrl);
    const found = await findLocalModels({ ports: [], ollamaHost: value.replace("PORT", port), timeoutMs: 60_000 });
    const expected = baseUrl.replace("PORT", port);
    expect(found.map((one) => one.baseUrl).filter((url) => url === expected)).toHaveLength(
      value.includes("PORT") ? 1 : 0,
    );
    expect(found.map((one) => one.baseUrl).filter((url) => url !== expected)).toEqual([]);
  });

  it("ends at once when aborted", async () => {
    const gateway = await server({ before: new Promise(() => {}), steps: [] });
    const abort = new AbortController();
    const ports = [["ollama", Number(new URL(gateway.baseUrl).port)]] as const;
    const finding = findLocalModels({ ports, signal: abort.signal });
    abort.abort("left");
    await expect(finding).rejects.toBe("left");
  });
});
