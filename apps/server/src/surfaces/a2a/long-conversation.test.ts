/** Conversations and tasks that grow without bound (EN10): every caller can make one, none may cost the service. */
import type { AnyTool } from "@agent-service/agent-core/host";
import { type LocalGateway, localGateway, textReply, toolReply } from "@agent-service/agent-core/testing";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, textOf } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const MIB = 1024 * 1024;
const page: AnyTool = {
  name: "page",
  description: "Returns a long page.",
  input: v.object({ number: v.number() }),
  effect: "pure",
  run: ({ number }: { number: number }) => `page ${number} ${"p".repeat(99_000)}`,
};

let gateway: LocalGateway;
let running: TestService;
const ended: number[] = [];
beforeAll(async () => {
  gateway = await localGateway(textReply("ok"));
  running = await startTestService({
    tools: [page],
    exit: (code) => void ended.push(code),
    config: `
providers:
  - { id: gw, type: compat-gateway, base_url: "${gateway.baseUrl}" }
model: { name: "gw:any", max_retries: 0 }
`,
  });
});
afterAll(async () => {
  await running.stop();
  await gateway.close();
});

/** Sends to the context; returns the task and the messages the model was shown. */
async function send(contextId: string, parts: readonly Json[], more: Json = {}): Promise<[Json, readonly Json[]]> {
  const before = gateway.requests.length;
  const message = { role: "user", contextId, parts, ...more };
  const task = await running.wire.result("message/send", { message, configuration: { historyLength: 0 } });
  const { body } = await gateway.untilRequest(before + 1);
  return [task, (body as Json).messages];
}

describe("a context with more than the store reads at once", () => {
  it("of huge messages: the newest are shown, and turns continue", async ({ task: { meta } }) => {
    gateway.answer(textReply("ok"));
    const sizeOf = (messages: readonly Json[]) => Buffer.byteLength(JSON.stringify(messages)) / MIB;
    const sizes: number[] = [];
    for (let at = 0; at < 4; at++) {
      const [task, messages] = await send("huge", [
        { text: `message ${at}` },
        { kind: "data", data: { pad: "x".repeat(6 * MIB) } },
      ]);
      expect(task.status.state).toBe("completed");
      sizes.push(sizeOf(messages));
    }
    const [last, messages] = await send("huge", [{ text: "and now?" }]);
    expect([last.status.state, textOf(last)]).toEqual(["completed", "ok"]);
    sizes.push(sizeOf(messages));
    // A turn that passes the bound is shown whole.
    const what = "a context of 24 MiB as the model is shown it, with the 6 MiB that pass 16";
    meta.bounds = [{ what, found: Math.max(...sizes), most: 16 + 6, unit: "MiB" }];
    const users = messages.filter(({ role }) => role === "user").map((one) => JSON.stringify(one).slice(0, 80));
    // 24 MiB are stored. Beyond 16 MiB the oldest messages are out of sight, and the model reads how many.
    const expected = ["5 earlier messages of this conversation are not shown", "message 3", "and now?"];
    expect(users).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  it("of long tool results: the newest are shown whole, the others are named", async () => {
    const rounds = 6;
    let asked = 0;
    gateway.answer((request) => {
      const { messages } = request.body as Json;
      if (messages.at(-1).role === "tool") return textReply("read");
      const first = asked;
      asked += 32;
      return toolReply(...Array.from({ length: 32 }, (_, at) => ({ name: "page", args: { number: first + at } })));
    });
    for (let at = 0; at < rounds; at++) {
      const [task] = await send("pages", [{ text: "Read on." }]);
      expect(task.status.state).toBe("completed");
    }
    gateway.answer(textReply("done"));
    const [task, messages] = await send("pages", [{ text: "Enough." }]);
    expect(textOf(task)).toBe("done");
    const results = messages.filter(({ role }) => role === "tool").map(({ content }) => content as string);
    expect(results.at(-1)).toMatch(/^page 191 p/);
    // Whole turns are out of sight; what is in sight begins with a turn.
    expect([results.length < rounds * 32, results.length % 32]).toEqual([true, 0]);
    expect(results.join("").length).toBeLessThan(20 * MIB);
  });
});

describe("large messages that wait", () => {
  it("are refused with 429 beyond what may wait in memory; they end, and new ones are taken", async () => {
    await using small = await startTestService({ bounds: { maxHeldBytes: 16 * MIB } });
    const text = `/wait 60000\n/say ${"x".repeat(2 * MIB)}`;
    const params = {
      message: { role: "user", parts: [{ text }] },
      configuration: { blocking: false, historyLength: 0 },
    };
    const ids: string[] = [];
    let refused = await small.wire.answer("message/send", params);
    for (; refused.status === 200 && ids.length < 20; refused = await small.wire.answer("message/send", params))
      ids.push(refused.body.result.id);
    expect([refused.status, refused.body.error.code]).toEqual([429, -32603]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(6);
    for (const id of ids) await small.wire.result("tasks/cancel", { id });
    expect(textOf(await small.wire.say("/say room"))).toBe("room");
  });
});

describe("a parked task", () => {
  it("takes its answer where the context went on far beyond it meanwhile", async () => {
    gateway.answer(toolReply({ name: "ask_human", args: { question: "Which?" } }));
    const [parked] = await send("parked", [{ text: "Ask me." }]);
    expect(parked.status.state).toBe("input-required");
    gateway.answer(textReply("ok"));
    for (let at = 0; at < 2; at++) await send("parked", [{ kind: "data", data: { pad: "x".repeat(9 * MIB) } }]);
    const [task, messages] = await send("parked", [{ text: "That one." }], { taskId: parked.id });
    expect([task.id, task.status.state]).toEqual([parked.id, "completed"]);
    expect(messages.find(({ role }) => role === "tool")).toMatchObject({ content: "That one." });
  });

  it("keeps its question, with the reason, when the reply is far too long", async () => {
    gateway.answer(toolReply({ name: "ask_human", args: { question: "Which?" } }));
    const [parked] = await send("long-reply", [{ text: "Ask me." }]);
    const reply = { role: "user", taskId: parked.id, parts: [{ text: "y".repeat(MIB) }] };
    const still = await running.wire.result("message/send", { message: reply });
    expect(still.status.state).toBe("input-required");
    expect(still.status.message.parts[0].text).toMatch(/^The reply is longer than 256 KiB/);
    gateway.answer(textReply("ok"));
    const [done] = await send("long-reply", [{ text: "Short." }], { taskId: parked.id });
    expect(done.status.state).toBe("completed");
  });
});

describe("after all of this", () => {
  it("the service never wanted to end, and logged no fault", () => {
    expect(ended).toEqual([]);
    expect(running.log.filter((line) => line.includes(" ERROR "))).toEqual([]);
  });
});
