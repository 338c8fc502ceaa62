/** Tools that misbehave (R4): each call becomes a result the model reads, others continue. */
import type { AnyTool } from "@agent-service/agent-core/host";
import { type LocalGateway, localGateway, textReply, toolReply } from "@agent-service/agent-core/testing";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, textOf, textParams } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const MIB = 1024 * 1024;

function tool(name: string, run: AnyTool["run"], more: Partial<AnyTool> = {}): AnyTool {
  return { name, description: "Misbehaves.", input: v.object({}), effect: "pure", run, ...more };
}

const circular: { self?: unknown } = {};
circular.self = circular;
const hanging = Promise.withResolvers<void>();
const seen: { aborted: boolean } = { aborted: false };

const TOOLS: readonly AnyTool[] = [
  tool("throws", () => {
    throw new Error("the tool broke");
  }),
  tool("throws_nothing", () => {
    throw undefined;
  }),
  tool("rejects_late", async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw new TypeError("later");
  }),
  tool("hangs", () => new Promise<never>(() => {}), { timeoutMs: 40 }),
  tool("hangs_with_effect", () => new Promise<never>(() => {}), { timeoutMs: 40, effect: "effect" }),
  tool("huge", () => "x".repeat(50 * MIB)),
  tool("huge_list", () => Array.from({ length: 2_000_000 }, (_, at) => ({ at }))),
  tool("circular", () => circular),
  tool("nul", () => "a\0b\ud800c"),
  tool("nul_error", () => {
    throw new Error("a\0b");
  }),
  tool("nothing", () => undefined as never),
  tool("a_function", () => (() => 1) as never),
  tool("waits", async (_input, { signal }) => {
    signal.addEventListener("abort", () => {
      seen.aborted = true;
      hanging.resolve();
    });
    await hanging.promise;
    return "too late";
  }),
];

let gateway: LocalGateway;
let running: TestService;
beforeAll(async () => {
  gateway = await localGateway(textReply("ok"));
  running = await startTestService({
    tools: TOOLS,
    config: `
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }
  - { id: scripted, type: scripted }
model: { name: "gw:any", max_retries: 0 }
`,
  });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

/** Has the model call these tools at once; returns what it read of each, in order. */
async function results(...names: readonly string[]): Promise<readonly string[]> {
  const before = gateway.requests.length;
  gateway.answer((_request, count) =>
    count === before + 1 ? toolReply(...names.map((name) => ({ name, args: {} }))) : textReply("Went on."),
  );
  const [task, healthy] = await Promise.all([
    running.wire.say("go"),
    running.wire.say('/call calculator {"expression":"6*7"}', {}, { metadata: { model: "scripted:demo" } }),
  ]);
  expect(textOf(healthy)).toBe("calculator returned: 42");
  expect([task.status.state, textOf(task)]).toEqual(["completed", "Went on."]);
  const { body } = await gateway.untilRequest(before + 2);
  return (body as Json).messages.filter((one: Json) => one.role === "tool").map((one: Json) => one.content);
}

describe("a tool that", () => {
  it.each([
    ["throws", /^Error: the tool broke$/],
    ["throws_nothing", /^Error: /],
    ["rejects_late", /^Error: later$/],
    ["hangs", /timed out after 0 s|timed out/],
    ["hangs_with_effect", /may have happened/],
    ["nul", /^a.b/s],
    ["nul_error", /^Error: a.b/s],
    ["circular", /./],
    ["nothing", /^/],
    ["a_function", /^/],
  ])("%s: the model reads what happened and continues", async (name, text) => {
    expect(await results(name)).toEqual([expect.stringMatching(text)]);
  });

  it.each(["huge", "huge_list"])(
    "%s: returns far too much, and the model reads the beginning and that it was cut",
    async (name) => {
      const [text = ""] = await results(name);
      expect(text.length).toBeLessThan(110_000);
      expect(text.length).toBeGreaterThan(10_000);
      expect(text).toMatch(/not shown|omitted|cut|more|…/);
    },
  );

  it("misbehaves beside others in one step costs only its own result", async () => {
    const read = await results("throws", "hangs", "huge", "current_time");
    expect(read).toHaveLength(4);
    expect(read[3]).toMatch(/^\d{4}-\d\d-\d\dT.*UTC/);
  });

  it("never returns is left behind by a cancel, which answers at once (A8)", async () => {
    gateway.answer(toolReply({ name: "waits", args: {} }));
    const stream = await running.wire.stream("message/stream", textParams("go"));
    const { frame } = await stream.until(({ metadata }) => JSON.stringify(metadata ?? {}).includes('"started"'));
    const canceled = await running.wire.result("tasks/cancel", { id: frame.taskId });
    expect(canceled.status.state).toBe("canceled");
    await hanging.promise;
    expect(seen.aborted).toBe(true);
    expect((await stream.rest()).at(-1)?.frame.status.state).toBe("canceled");
    expect(await running.wire.result("tasks/get", { id: frame.taskId })).toEqual(canceled);
  });
});

describe("progress frames", () => {
  it("show a tool's failure with a short result (A14)", async () => {
    const before = gateway.requests.length;
    gateway.answer((_request, count) =>
      count === before + 1 ? toolReply({ name: "huge", args: {} }) : textReply("ok"),
    );
    const events = await (await running.wire.stream("message/stream", textParams("go"))).rest();
    const calls = events.flatMap(({ frame }) => frame.metadata?.["urn:agent-service:a2a:ext:tool-call-v1"] ?? []);
    expect(calls.map(({ phase }) => phase)).toEqual(["started", "completed"]);
    expect(calls[1].result.length).toBeLessThanOrEqual(800);
  });
});
