import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, textOf, waitingTool } from "../../testing/index.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const waiting = waitingTool();

const CONFIG = `
auth: { token: operator-token, federation_token: peer-token }
model: { name: "scripted:demo" }
`;
const V1 = { "a2a-version": "1.0" };
let running: TestService;
beforeAll(async () => {
  running = await startTestService({ config: CONFIG, tools: [waiting.tool] });
});
afterAll(() => running.stop());

const params = (text: string, taskId?: string) => ({
  message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...(taskId && { taskId }) },
});

describe("a message of 1.0 to a working task (A9)", () => {
  it("is read by that task, once under its key (A15), and the reply waits for its end", async () => {
    const operator = running.wireAs({ authorization: "Bearer operator-token", ...V1 });
    const peer = running.wireAs({ authorization: "Bearer peer-token", ...V1 });
    const stream = await operator.stream("SendStreamingMessage", params("/call waiting {}"));
    const { frame } = (await stream.next()) ?? expect.fail("no first event");
    const id: string = frame.task.id;
    await waiting.started;
    // A16: what another class may not see is not there to be steered.
    expect(await peer.error("SendMessage", params("me too", id))).toMatchObject({ code: -32001 });
    const steering = params("and greet me", id);
    const now = { configuration: { returnImmediately: true } };
    const key = { headers: { "idempotency-key": "steer-1" } };
    const one: Json = await operator.result("SendMessage", { ...steering, ...now }, key);
    expect(one).toMatchObject({ task: { id, status: { state: "TASK_STATE_WORKING" } } });
    const again = operator.result("SendMessage", { ...steering, ...now }, key);
    expect(await again).toMatchObject({ task: { id, status: { state: "TASK_STATE_WORKING" } } });
    expect(await operator.error("SendMessage", { ...params("else", id), ...now }, key)).toMatchObject({ code: -32602 });
    const last = operator.result("SendMessage", params("twice", id));
    // The last message is durable once a read of the store finds it; then the tool may continue.
    await expect
      .poll(async () => (await running.service.core.db.read({ sql: "SELECT id FROM steering", args: [] })).length)
      .toBe(2);
    waiting.release();
    const { task }: Json = await last;
    expect(task).toMatchObject({ id, status: { state: "TASK_STATE_COMPLETED" } });
    expect(task.history.map((message: Json) => textOf(message))).toEqual(["/call waiting {}", "and greet me", "twice"]);
    expect(await operator.error("SendMessage", params("late", id))).toMatchObject({ code: -32004 });
  });
});
