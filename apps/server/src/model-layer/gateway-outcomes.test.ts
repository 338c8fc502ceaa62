/**
 * What becomes of a turn whose gateway fails, for the task and for a chat client (R6, V1):
 * one row per way to fail, all at once against one gateway that goes by the model's name.
 */
import type { TaskFailure } from "@agent-service/agent-core/host";
import {
  chunkEvent,
  errorReply,
  type GatewayReply,
  type LocalGateway,
  localGateway,
  textReply,
} from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, textOf } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const half = chunkEvent({ content: "Half an ans" });

/** By model name: what the gateway does, how often it is called with one retry, and the error of the task. */
const ROWS: Readonly<Record<string, Row>> = {
  "429 with Retry-After": {
    reply: errorReply(429, "slow down", { "retry-after": "1" }),
    attempts: 2,
    failure: { code: "model_rate_limited", upstreamStatus: 429, retryAfterSeconds: 1 },
    chat: { status: 429, code: "rate_limit_exceeded", retryAfter: "1" },
  },
  "429 without": {
    reply: errorReply(429, "slow down"),
    attempts: 2,
    failure: { code: "model_rate_limited", upstreamStatus: 429 },
    chat: { status: 429, code: "rate_limit_exceeded" },
  },
  "400": {
    reply: errorReply(400, "temperature must be below 1"),
    attempts: 1,
    failure: { code: "model_bad_request", upstreamStatus: 400 },
    chat: { status: 502, code: "model_bad_request" },
  },
  "400 for an unknown model": {
    reply: errorReply(400, "The model `x` does not exist"),
    attempts: 1,
    failure: { code: "model_unknown_model", upstreamStatus: 400 },
    chat: { status: 400, code: "model_not_found" },
  },
  "400 for too long a prompt": {
    reply: errorReply(400, "This model's maximum context length is 8192 tokens."),
    attempts: 2,
    failure: { code: "model_context_overflow", upstreamStatus: 400 },
    chat: { status: 400, code: "context_length_exceeded" },
  },
  "401": {
    reply: errorReply(401, "who are you"),
    attempts: 1,
    failure: { code: "model_unauthorized", upstreamStatus: 401 },
    chat: { status: 502, code: "model_unauthorized" },
  },
  "500": {
    reply: errorReply(500, "oops"),
    attempts: 2,
    failure: { code: "model_upstream", upstreamStatus: 500 },
    chat: { status: 502, code: "model_upstream" },
  },
  "529": {
    reply: errorReply(529, "overloaded"),
    attempts: 2,
    failure: { code: "model_upstream", upstreamStatus: 529 },
    chat: { status: 502, code: "model_upstream" },
  },
  "a stall before the first byte": {
    reply: { before: new Promise(() => {}), steps: [] },
    attempts: 2,
    failure: { code: "model_timeout" },
    chat: { status: 502, code: "model_timeout" },
  },
  "a stall in the middle": {
    reply: { steps: [half, { do: "stall" }] },
    attempts: 1,
    failure: { code: "model_timeout" },
    chat: { status: 502, code: "model_timeout" },
  },
  "a drop before the first byte": {
    reply: { steps: [{ do: "cut" }] },
    attempts: 2,
    failure: { code: "model_network" },
    chat: { status: 502, code: "model_network" },
  },
  "a drop in the middle": {
    reply: { steps: [half, { do: "cut" }] },
    attempts: 1,
    failure: { code: "model_network" },
    chat: { status: 502, code: "model_network" },
  },
};

interface Row {
  readonly reply: GatewayReply;
  readonly attempts: number;
  readonly failure: Omit<TaskFailure, "message">;
  readonly chat: { readonly status: number; readonly code: string; readonly retryAfter?: string };
}

let gateway: LocalGateway;
let running: TestService;
/** Gives up on a silent gateway after a second; the others only where one hangs. */
let impatient: TestService;
let routed: TestService;
beforeAll(async () => {
  gateway = await localGateway(
    ({ body }) => ROWS[(body as Json).model]?.reply ?? textReply(`I am ${(body as Json).model}.`),
  );
  const connection = `providers: [{ id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }]\n`;
  const model = `model: { name: "gw:lead", max_retries: 1, max_inflight: 2 }\n`;
  const wide = model.replace("max_inflight: 2", "max_inflight: 0");
  [running, impatient, routed] = await Promise.all([
    startTestService({ config: `${connection}${wide}` }),
    startTestService({ config: `${connection}${wide.replace("max_retries", "request_timeout: 1, max_retries")}` }),
    startTestService({
      config: `${connection}${model}routing: { fallback_models: ["gw:500", "spare"] }\n`,
    }),
  ]);
});
afterAll(async () => {
  await Promise.all([running.stop(), impatient.stop(), routed.stop()]);
  await gateway.close();
});

const asked = (model: string): number => gateway.requests.filter(({ body }) => (body as Json).model === model).length;
const say = (to: TestService, model: string): Promise<Json> =>
  to.wire.say("hello", {}, { metadata: { model: `gw:${model}` } });

describe.concurrent("a gateway that answers with", () => {
  it.each(Object.entries(ROWS))("%s", async (model, { attempts, failure, chat }) => {
    const service = failure.code === "model_timeout" ? impatient : running;
    const task = await say(service, model);
    expect(task.status.state).toBe("failed");
    expect(asked(model)).toBe(attempts);
    const handle = await service.service.core.service.get(task.id);
    expect(handle?.view.failure).toEqual({ ...failure, message: expect.stringMatching(/./) });
    expect(task.status.message.parts[0].text).toBe(handle?.view.failure?.message);

    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: `gw:${model}`, messages: [{ role: "user", content: "hello" }] }),
    });
    const { error } = (await response.json()) as Json;
    expect({ status: response.status, code: error.code }).toEqual({ status: chat.status, code: chat.code });
    expect(response.headers.get("retry-after")).toBe(chat.retryAfter ?? null);
    expect(asked(model)).toBe(2 * attempts);
  });
});

describe("routing.fallback_models", () => {
  it("serves the turn with the first one that answers, and logs it", async () => {
    const task = await say(routed, "401");
    expect([task.status.state, textOf(task)]).toEqual(["completed", "I am spare."]);
    const log = routed.log.join("");
    expect(log).toContain("the model 401 failed (model_unauthorized), so 500 continues");
    expect(log).toContain("the model 500 failed (model_upstream), so spare continues");
  });
});
