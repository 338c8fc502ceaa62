import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, streamReader, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService();
});
afterAll(() => running.stop());

describe("a fresh service", () => {
  it("answers the one-line request of the README with the calculator's 42, as a stream (A19, A6)", async () => {
    const response = await fetch(`${running.url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"role":"user","parts":[{"text":"/call calculator {\\"expression\\":\\"6*7\\"}"}]}}}',
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const events = await streamReader(response).rest();
    const frames = events.map(({ frame }) => frame);
    expect(frames[0]).toMatchObject({ kind: "task", status: { state: "working" } });
    const tool = frames.flatMap((frame) => frame.metadata?.["urn:agent-service:a2a:ext:tool-call-v1"] ?? []);
    expect(tool).toMatchObject([
      { name: "calculator", phase: "started", args: '{"expression":"6*7"}' },
      { name: "calculator", phase: "completed", result: "42" },
    ]);
    const whole = frames.findLast((frame) => frame.kind === "artifact-update") as Json;
    expect(whole).toMatchObject({ append: false, lastChunk: true });
    expect(textOf(whole.artifact)).toBe("calculator returned: 42");
    expect(frames.at(-1)).toMatchObject({ kind: "status-update", final: true, status: { state: "completed" } });
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });
});
