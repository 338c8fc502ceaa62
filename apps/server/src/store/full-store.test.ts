/** A store without room (S7): refused before acceptance, nothing acknowledged is lost, and it continues once there is room. */
import { expect, it } from "vitest";
import { temporaryFolders, textOf, textParams } from "../testing/index.ts";
import { startTestService } from "../testing/test-service.ts";

it("refuses new work with 503, still reads, and keeps every task it acknowledged [DEV-busy]", async () => {
  const folders = temporaryFolders();
  const acknowledged = new Map<string, string>();
  {
    await using running = await startTestService({ folders, bounds: { storeMaxBytes: 1_000_000 } });
    const filler = (): object => textParams(`/say ${"x".repeat(30_000)}`, {}, { configuration: { blocking: false } });
    let refused = await running.wire.answer("message/send", filler());
    for (let sent = 0; refused.status === 200 && sent < 200; sent++) {
      acknowledged.set(refused.body.result.id, refused.body.result.contextId);
      refused = await running.wire.answer("message/send", filler());
    }
    expect(acknowledged.size).toBeGreaterThan(3);
    expect(refused).toMatchObject({ status: 503, body: { error: { code: -32603 } } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.body.error.message).not.toMatch(/SQL|sqlite/i);
    const streamed = await running.wire.answer("message/stream", filler());
    expect(streamed.status).toBe(503);
    for (const [id, contextId] of acknowledged) {
      expect(await running.wire.result("tasks/get", { id })).toMatchObject({ id, contextId });
    }
    // A small commit of a turn that ends meanwhile may still fit; the next large one does not.
    const health = async (): Promise<unknown> => {
      expect((await running.wire.answer("message/send", filler())).status).toBe(503);
      const response = await fetch(`${running.url}/healthz`);
      return [response.status, ((await response.json()) as { store: string }).store];
    };
    await expect.poll(health, { interval: 2 }).toEqual([200, "full"]);
  }
  await using again = await startTestService({ folders });
  for (const [id, contextId] of acknowledged) {
    const task = await again.wire.result("tasks/get", { id });
    expect([task.contextId, ["completed", "failed"].includes(task.status.state)]).toEqual([contextId, true]);
  }
  expect(textOf(await again.wire.say("/say room again"))).toBe("room again");
  await again.stop();
  folders.remove();
});
