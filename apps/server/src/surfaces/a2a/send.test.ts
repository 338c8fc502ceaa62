import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBody, textOf, textParams, waitingTool } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const CONFIG = `
providers:
  - { id: scripted, type: scripted }
model: { name: "scripted:demo", max_retries: 0 }
a2a:
  skills:
    - { id: plain, name: Plain, description: Writes a text., tags: [] }
`;
const COST = "urn:agent-service:a2a:ext:cost-v1";

const waiting = waitingTool();
let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG, bounds: { keepAliveMs: 40 }, tools: [waiting.tool] });
});
afterAll(() => running.stop());

const count = expect.any(Number);

describe("message/send (A10, A11)", () => {
  it("blocks until the task ended and returns it whole, in the short form too (A19)", async () => {
    const task = await running.wire.result("message/send", {
      message: { role: "user", parts: [{ text: "/say Hi you" }] },
    });
    expect(task).toMatchObject({
      kind: "task",
      id: expect.any(String),
      contextId: expect.any(String),
      status: { state: "completed", timestamp: expect.stringMatching(/Z$/) },
      history: [{ kind: "message", role: "user", parts: [{ kind: "text", text: "/say Hi you" }] }],
      data: { usage: { input_tokens: count, output_tokens: count, total_tokens: count }, durationMs: count },
    });
    expect(textOf(task)).toBe("Hi you");
    const { input_tokens, output_tokens, total_tokens } = task.data.usage;
    expect(total_tokens).toBe(input_tokens + output_tokens);
    const usage = { inputTokens: input_tokens, outputTokens: output_tokens, cacheReadInputTokens: 0 };
    expect(task.metadata[COST]).toMatchObject({ usage, success: true });
    expect(await running.wire.result("tasks/get", { id: task.id })).toEqual(task);
  });

  it("returns the working task at once where the caller does not wait; tasks/get shows its end (A5, A10)", async () => {
    const params = textParams("/wait 150\n/say later", {}, { configuration: { blocking: false } });
    const task = await running.wire.result("message/send", params);
    expect(task.status.state).toBe("working");
    const stream = await running.wire.stream("tasks/resubscribe", { id: task.id });
    await stream.until((frame) => frame.final === true);
    expect(textOf(await running.wire.result("tasks/get", { id: task.id }))).toBe("later");
  });

  it("sends white space while it waits, so that no client's timeout cuts the answer (A10)", async () => {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method: "message/send",
      params: textParams("/call waiting {}\n/then\n/say ok"),
    });
    const response = await fetch(`${running.url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    const text = await readBody(response, /^ {2}/, waiting.release);
    expect(text).toMatch(/^ {2,}\{/);
    expect(JSON.parse(text)).toMatchObject({ id: 7, result: { status: { state: "completed" } } });
  });

  it("returns as much history as was asked for, and keeps turns of one context apart and in order (A9, A10)", async () => {
    const first = await running.wire.say("/say one");
    const { contextId } = first;
    const slow = running.wire.say("/wait 60\n/say two", { contextId });
    const quick = running.wire.say("/say three", { contextId });
    const [two, three] = await Promise.all([slow, quick]);
    expect(new Set([first.id, two.id, three.id]).size).toBe(3);
    expect(Date.parse(two.status.timestamp)).toBeLessThanOrEqual(Date.parse(three.status.timestamp));
    for (const [historyLength, expected] of [
      [0, undefined],
      [1, 1],
      [50, 1],
    ] as const) {
      const { history } = await running.wire.result("tasks/get", { id: three.id, historyLength });
      expect(history?.length).toBe(expected);
    }
    const none = await running.wire.say("/say x", {}, { configuration: { historyLength: 0 } });
    expect(none.history).toBeUndefined();
  });

  it("has usage and duration of failed and canceled tasks too, failed calls included (A11)", async () => {
    const failed = await running.wire.say('/call calculator {"expression":"1"}\n/then\n/fail 500');
    expect(failed).toMatchObject({
      status: { state: "failed", message: { role: "agent", parts: [{ kind: "text", text: expect.any(String) }] } },
      data: { usage: { input_tokens: count, output_tokens: count }, durationMs: count },
    });
    expect(failed.data.usage.input_tokens).toBeGreaterThan(0);
    expect(failed.metadata[COST].success).toBe(false);

    const script = '/call calculator {"expression":"1"}\n/then\n/wait 60000';
    const stream = await running.wire.stream("message/stream", textParams(script));
    const { frame } = await stream.until(
      ({ metadata }) => metadata?.["urn:agent-service:a2a:ext:tool-call-v1"]?.phase === "completed",
    );
    const canceled = await running.wire.result("tasks/cancel", { id: frame.taskId });
    expect(canceled.status.state).toBe("canceled");
    expect(canceled.data.usage.input_tokens).toBeGreaterThan(0);
    expect(canceled.data.durationMs).toBeGreaterThanOrEqual(0);
  });
});

describe("a per-turn choice in metadata (B13)", () => {
  it("takes metadata.model for this turn and fails a task whose model is unknown, with that reason", async () => {
    const named = await running.wire.say("/say hi", {}, { metadata: { model: "scripted:other" } });
    expect(textOf(named)).toBe("hi");
    const wrong = await running.wire.error("message/send", textParams("hi", {}, { metadata: { model: 7 } }));
    expect(wrong).toMatchObject({ code: -32602, message: expect.stringContaining("metadata.model") });
  });

  it("refuses a reasoning effort that is none, naming those there are", async () => {
    const asked = (reasoning_effort: unknown) => textParams("/say hi", {}, { metadata: { reasoning_effort } });
    expect(textOf(await running.wire.result("message/send", asked("low")))).toBe("hi");
    for (const wrong of ["enormous", 3]) {
      const error = await running.wire.error("message/send", asked(wrong));
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("minimal, low, medium") });
    }
  });

  it("takes a declared skill and refuses an unknown one (A4)", async () => {
    expect(textOf(await running.wire.say("/say hi", {}, { metadata: { skill: "plain" } }))).toBe("hi");
    const error = await running.wire.error("message/send", textParams("hi", {}, { metadata: { skill: "nope" } }));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('"nope"') });
  });

  it("refuses output modes the answer does not come in (A10)", async () => {
    const wanting = (mode: string) => textParams("/say hi", {}, { configuration: { acceptedOutputModes: [mode] } });
    expect(await running.wire.error("message/send", wanting("audio/wav"))).toMatchObject({ code: -32005 });
    expect(textOf(await running.wire.result("message/send", wanting("text/*")))).toBe("hi");
  });
});
