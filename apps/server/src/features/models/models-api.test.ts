/** What an operator learns of models over the API (O4, R13). */
import { errorReply, type LocalGateway, localGateway, textReply, toolReply } from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const KEY = "sk-stored-0123456789";
const list = {
  headers: { "content-type": "application/json" },
  steps: [JSON.stringify({ data: [{ id: "m1", max_model_len: 5 }] })],
};

let gateway: LocalGateway;
let elsewhere: LocalGateway;
let running: TestService;
const answer = ({ path, body }: { path: string; body: unknown }) =>
  path.endsWith("/models")
    ? list
    : (body as Json).tools === undefined
      ? textReply("ready")
      : toolReply({ name: "report_ready", args: { ready: true } });
beforeAll(async () => {
  [gateway, elsewhere] = await Promise.all([
    localGateway(answer, { scriptsLists: true }),
    localGateway(answer, { scriptsLists: true }),
  ]);
  const closed = await localGateway(textReply(""));
  await closed.close();
  running = await startTestService({
    config: `
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}", api_key: ${KEY} }
  - { id: closed-gw, type: compat-gateway, base_url: "${closed.baseUrl}", api_key: ${KEY}-2 }
  - { id: demo, type: scripted }
model: { name: "gw:m1", max_inflight: 2, max_retries: 0 }
`,
  });
});
afterAll(async () => {
  await running.stop();
  await Promise.all([gateway.close(), elsewhere.close()]);
});

async function post(path: string, body?: object): Promise<Json> {
  const response = await fetch(`${running.url}${path}`, {
    method: "POST",
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).not.toContain(KEY);
  return JSON.parse(text) as Json;
}

const keysSeen = (to: LocalGateway): unknown[] => to.requests.map(({ headers }) => headers.authorization);

describe("POST /api/config/models", () => {
  it("lists the lead's models with the stored key, and another connection's by its id", async () => {
    const models = {
      models: ["m1"],
      details: [{ name: "m1", context_window: 5, vision: null, reasoning_efforts: null, price: null }],
      error: "",
      problem: null,
    };
    expect(await post("/api/config/models")).toEqual(models);
    expect(await post("/api/config/models", { provider: "gw" })).toEqual(models);
    expect(keysSeen(gateway).at(-1)).toBe(`Bearer ${KEY}`);
    expect((await post("/api/config/models", { provider: "demo" })).models).toEqual(["demo"]);
  });

  it("has the prices of models: as entered, else as the server reports, else as vendors publish (R13)", async () => {
    const model_info = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
    const data = [{ id: "gpt-4o" }, { id: "reported", model_info }, { id: "m1" }];
    gateway.answer({ headers: { "content-type": "application/json" }, steps: [JSON.stringify({ data })] });
    const prices = async (): Promise<Json> => {
      const { details } = await post("/api/config/models", { provider: "gw" });
      return Object.fromEntries(details.map(({ name, price }: Json) => [name, price]));
    };
    const priced = (input: number, output: number, cache_read: number | null = null) => ({
      input,
      output,
      cache_read,
      cache_write: null,
    });
    expect(await prices()).toEqual({ "gpt-4o": priced(2.5, 10, 1.25), m1: null, reported: priced(1, 2) });
    const models = { m1: { price: { input: 3, output: 4 } }, reported: { price: { input: 5, output: 6 } } };
    const saved = await fetch(`${running.url}/api/providers/gw`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ models }),
    });
    expect(saved.status).toBe(200);
    expect(await prices()).toMatchObject({ m1: priced(3, 4), reported: priced(5, 6) });
    gateway.answer(answer);
  });

  it("never sends a stored key to another address; one that was entered is sent there", async () => {
    for (const body of [{ provider: "gw" }, { provider: "compat-gateway" }, {}])
      expect((await post("/api/config/models", { ...body, api_base: elsewhere.baseUrl })).models).toEqual(["m1"]);
    expect(keysSeen(elsewhere)).toEqual([undefined, undefined, undefined]);
    await post("/api/config/models", { api_base: elsewhere.baseUrl, api_key: "sk-entered" });
    expect(keysSeen(elsewhere).at(-1)).toBe("Bearer sk-entered");
  });

  it.each<[object, RegExp, object]>([
    [
      { provider: "closed-gw" },
      /could not be reached \(ECONNREFUSED\)/,
      { field: "address", text: expect.stringMatching(/^Nothing answers at 127\.0\.0\.1:\d+\. Start the server/) },
    ],
    [{ provider: "unknown" }, /no connection "unknown"/, { field: null, text: expect.any(String) }],
    [
      { api_base: "ftp://host" },
      /http/,
      { field: "address", text: "Enter an address that begins with http:// or https://." },
    ],
  ])("reports what failed, and to a person which entry to correct: %j", async (body, error, problem) => {
    expect(await post("/api/config/models", body)).toEqual({
      models: [],
      details: [],
      error: expect.stringMatching(error),
      problem,
    });
  });

  it("asks a person for a key where none was sent, and for another one where it was refused", async () => {
    gateway.answer(errorReply(401, `no such key ${KEY}`));
    const field = async (body: object): Promise<Json> => (await post("/api/config/models", body)).problem;
    const api_base = gateway.baseUrl;
    expect(await field({ provider: "gw" })).toMatchObject({ field: "key", text: expect.stringContaining("refuses") });
    expect(await field({ provider: "compat-gateway", api_base: `${api_base}/other` })).toMatchObject({
      field: "key",
      text: expect.stringContaining("needs a key"),
    });
    gateway.answer(answer);
  });
});

describe("POST /api/config/test-model", () => {
  it("tries one answer and one tool call", async () => {
    const passed = { ok: true, error: "", ms: expect.any(Number) };
    expect(await post("/api/config/test-model")).toEqual({
      ...{ ok: true, error: "", problem: null },
      ...{ answer: passed, tool_call: passed },
    });
    expect(await post("/api/config/test-model", { provider: "gw", model: "other" })).toMatchObject({ ok: true });
    expect(gateway.requests.at(-1)?.body).toMatchObject({ model: "other" });
  });

  it("reports which part failed", async () => {
    expect(await post("/api/config/test-model", { provider: "closed-gw", model: "m" })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^No answer: closed-gw could not be reached/),
      problem: { field: "address", text: expect.not.stringContaining("ECONN") },
      tool_call: null,
    });
    expect(await post("/api/config/test-model", { provider: "demo", model: "demo" })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^It answers, but the tool call failed/),
      problem: { field: "model", text: expect.stringContaining("Choose a model that can call tools") },
      answer: { ok: true },
    });
    expect((await post("/api/config/test-model", { provider: "closed-gw" })).error).toMatch(
      /no model of the connection/,
    );
  });
});

it("looks for model servers on this machine", async () => {
  const response = await fetch(`${running.url}/api/config/models/local`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ servers: expect.any(Array) });
});

it("reports the state of the lanes (B46)", async () => {
  await running.wire.say("hello");
  const response = await fetch(`${running.url}/api/telemetry/llm-lanes`);
  expect(await response.json()).toEqual({
    enabled: true,
    generated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    lanes: [
      {
        lane: "gw",
        limit: 2,
        reserve: 1,
        inflight: 0,
        queued: 0,
        queued_by_priority: { interactive: 0, default: 0, bulk: 0 },
        oldest_wait_s: 0,
        wait_p50_s_5m: 0,
        wait_p90_s_5m: 0,
        queue_timeouts_5m: 0,
        saturated: false,
      },
    ],
  });
  await using unlimited = await startTestService();
  expect(await (await fetch(`${unlimited.url}/api/telemetry/llm-lanes`)).json()).toEqual({ enabled: false });
});
