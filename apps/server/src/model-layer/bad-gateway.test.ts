/** A model's gateway that misbehaves (R4, R6, A11): the task ends in a stated way, others continue. */
import {
  chunkEvent,
  endEvents,
  errorReply,
  type GatewayScript,
  type LocalGateway,
  localGateway,
  textReply,
} from "@agent-service/agent-core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, textOf, textParams } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const KEY = "sk-very-secret-key-0123456789";

let gateway: LocalGateway;
let running: TestService;
/** Gives up on a silent gateway after a second; the other only where one hangs. */
let impatient: TestService;
beforeAll(async () => {
  gateway = await localGateway(textReply("ok"));
  const config = (model: string): string => `
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}", api_key: ${KEY} }
  - { id: scripted, type: scripted }
  - { id: closed, type: compat-gateway, base_url: "http://127.0.0.1:9/v1" }
model: { name: "gw:any", max_retries: 1${model} }
`;
  [running, impatient] = await Promise.all([
    startTestService({ config: config("") }),
    startTestService({ config: config(", request_timeout: 1") }),
  ]);
});
afterAll(async () => {
  await Promise.all([running.stop(), impatient.stop()]);
  await gateway.close();
});

/** Sends a message while the gateway answers so, and a healthy one on another model beside it. */
async function send(script: GatewayScript, params: Json = {}, to = running): Promise<Json> {
  gateway.answer(script);
  const [task, healthy] = await Promise.all([
    to.wire.say("hello", {}, params),
    to.wire.say("/say fine", {}, { metadata: { model: "scripted:demo" } }),
  ]);
  expect(textOf(healthy)).toBe("fine");
  return task;
}

const html = { status: 200, headers: { "content-type": "text/html" }, steps: ["<html><body>Sign in</body></html>"] };
const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 89) % 256));

describe("a gateway that fails for good ends the task as failed, with the reason and what it cost", () => {
  it.each<[string, GatewayScript, RegExp]>([
    ["HTML with 200", html, /something else than a chat completion/],
    ["noise with 200", { steps: [noise] }, /something else than a chat completion/],
    [
      "events that are no JSON",
      { steps: ["data: {oops\n\n", "data: [DONE]\n\n"] },
      /something else than a chat completion/,
    ],
    ["an empty stream", { steps: [] }, /closed its stream/],
    ["an error within the stream", { steps: ['data: {"error":{"message":"out of cards"}}\n\n'] }, /out of cards/],
    ["400", errorReply(400, "bad temperature"), /bad temperature/],
    ["401 that repeats the key", errorReply(401, `wrong key ${KEY}`), /401: wrong key/],
    ["404", errorReply(404, "no such model"), /no such model/],
    ["HTML with 403", { status: 403, headers: { "content-type": "text/html" }, steps: ["<h1>Forbidden</h1>"] }, /403/],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" }, steps: [] }, /302/],
    [
      "closing mid-stream",
      { steps: [chunkEvent({ content: "Half an ans" }), { do: "cut" }] },
      /^gw closed the connection in the middle of its answer \([A-Z_]+\)$/,
    ],
    [
      "ending mid-stream",
      { steps: [chunkEvent({ content: "Half an ans" })] },
      /^gw closed its stream before the answer was whole$/,
    ],
    ["stalling mid-stream", { steps: [chunkEvent({ content: "Half an ans" }), { do: "stall" }] }, /fell silent/],
  ])("%s", async (name, script, reason) => {
    const to = name.startsWith("stalling") ? impatient : running;
    const task = await send(script, {}, to);
    expect(task.status).toMatchObject({ state: "failed", message: { role: "agent" } });
    expect(task.status.message.parts[0].text).toMatch(reason);
    expect(task.data).toMatchObject({ usage: { total_tokens: expect.any(Number) }, durationMs: expect.any(Number) });
    expect(JSON.stringify(task)).not.toContain(KEY);
    expect(await to.wire.result("tasks/get", { id: task.id })).toEqual(task);
    // The conversation is not spoilt for the next turn.
    const next = await send(textReply("All good."), {});
    expect(textOf(next)).toBe("All good.");
  });

  it("no listener", async () => {
    const task = await running.wire.say("hello", {}, { metadata: { model: "closed:any" } });
    expect(task.status.state).toBe("failed");
  });

  it("stalling before the first byte, once per attempt", async () => {
    const before = gateway.requests.length;
    const task = await send({ before: new Promise(() => {}), steps: [] }, {}, impatient);
    expect(task.status.state).toBe("failed");
    expect(task.status.message.parts[0].text).toMatch(/did not answer in time/);
    expect(gateway.requests.length - before).toBe(2);
    await Promise.all(gateway.requests.slice(before).map(({ cut }) => cut));
  });

  it("an endless stream of text is cut at the bound and kept up to it, and its stream stays within it", async ({
    task: { meta },
  }) => {
    const chunk = chunkEvent({ content: "x".repeat(60_000) });
    gateway.answer({ steps: Array.from({ length: 200 }, () => chunk) });
    const stream = await running.wire.stream("message/stream", textParams("hello"));
    const last = (await stream.rest()).at(-1)?.frame as Json;
    expect(last).toMatchObject({ final: true, status: { state: "completed" } });
    const task = await running.wire.result("tasks/get", { id: last.taskId });
    meta.bounds = [
      { what: "an answer without an end", found: textOf(task).length, most: 4_000_000, unit: "characters" },
    ];
    expect(textOf(task)).toHaveLength(4_000_000);
    expect(JSON.stringify(task).length).toBeLessThan(5_000_000);
  });
});

describe("a gateway that fails for a moment is asked again (R6)", () => {
  it.each<[string, GatewayScript]>([
    ["429 with Retry-After", errorReply(429, "slow down", { "retry-after": "1" })],
    ["500", errorReply(500, "oops")],
    ["502 with HTML", { status: 502, headers: { "content-type": "text/html" }, steps: ["<h1>Bad Gateway</h1>"] }],
    ["a connection that closes before a byte", { steps: [{ do: "cut" }] }],
  ])("%s", async (_name, script) => {
    const before = gateway.requests.length;
    const first = typeof script === "function" ? script : () => script;
    const task = await send((request, count) =>
      count === before + 1 ? first(request, count) : textReply("Recovered."),
    );
    expect([task.status.state, textOf(task)]).toEqual(["completed", "Recovered."]);
    expect(gateway.requests.length).toBe(before + 2);
  });

  it("never after text was received: no text is doubled", async () => {
    const before = gateway.requests.length;
    const task = await send({ steps: [chunkEvent({ content: "Once" }), { do: "cut" }] });
    expect(task.status.state).toBe("failed");
    expect(gateway.requests.length).toBe(before + 1);
  });
});

describe("a model that calls tools badly (R4)", () => {
  const call = (name: string, args: string): string =>
    chunkEvent({ tool_calls: [{ index: 0, id: "c", type: "function", function: { name, arguments: args } }] });

  it.each([
    ["an unknown tool", "no_such_tool", "{}", /no_such_tool/],
    ["arguments that are no JSON", "calculator", '{"expression":', /JSON|argument/i],
    ["a name with a NUL", "calcu\0lator", "{}", /calcu\ufffdlator/],
    ["arguments with a NUL", "calculator", '{"expression":"1\0"}', /unexpected/],
    ["arguments with an escaped NUL", "calculator", '{"expression":"1\\u0000"}', /holds a NUL character/],
    ["a name of a million characters", "n".repeat(1_000_000), "{}", /^.{1,1000}$/s],
    ["arguments that do not fit", "calculator", '{"expression":[]}', /expression/],
  ])("%s: the model reads what was wrong and continues", async (_name, tool, args, reason) => {
    const before = gateway.requests.length;
    const task = await send((_request, count) =>
      count === before + 1 ? { steps: [call(tool, args), endEvents("tool_calls")] } : textReply("I see."),
    );
    expect([task.status.state, textOf(task)]).toEqual(["completed", "I see."]);
    const { body } = await gateway.untilRequest(before + 2);
    expect((body as Json).messages.at(-1)).toMatchObject({ role: "tool", content: expect.stringMatching(reason) });
  });
});

describe("after all of this", () => {
  it("nothing runs, no socket leaks, and the key is in no log line", async () => {
    expect(running.service.core.load()).toEqual({ running: 0, waiting: 0 });
    expect(running.log.join("")).not.toContain(KEY);
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
  });
});
