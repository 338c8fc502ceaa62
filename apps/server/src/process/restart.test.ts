/** What a restart leaves as it was, and what it may not touch (A7, A18, N3, R12). */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { type Json, type StreamedEvent, temporaryFolders, textOf, textParams } from "../testing/index.ts";
import { startTestService } from "../testing/test-service.ts";

const LONG = '/say Let me see.\n/call calculator {"expression":"6*7"}\n/then\n/stream 30';

it("tasks that ended read, replay and cancel as before, byte for byte, and contexts continue", async () => {
  const folders = temporaryFolders();
  let live: readonly StreamedEvent[];
  let before: Json;
  let canceled: Json;
  {
    await using first = await startTestService({ folders });
    live = await (await first.wire.stream("message/stream", textParams(LONG))).rest();
    before = await first.wire.result("tasks/get", { id: live[0]?.frame.id });
    const waiting = await first.wire.result(
      "message/send",
      textParams("/wait 60000", {}, { configuration: { blocking: false } }),
    );
    canceled = await first.wire.result("tasks/cancel", { id: waiting.id });
  }
  await using second = await startTestService({ folders });
  const { wire } = second;
  const { id, contextId } = before;
  expect(await wire.result("tasks/get", { id })).toEqual(before);
  expect(await wire.result("tasks/cancel", { id })).toEqual(before);
  expect(await wire.result("tasks/get", { id: canceled.id })).toEqual(canceled);
  for (const cursor of [1, live[3]?.id ?? 0]) {
    const replay = await (await wire.stream("tasks/resubscribe", { id, metadata: { after: cursor } })).rest();
    expect(replay.slice(1)).toEqual(live.filter((event) => event.id > Math.max(cursor, live[0]?.id ?? 0)));
  }
  const end = await (await wire.stream("tasks/resubscribe", { id })).rest();
  expect(end.map(({ frame }) => frame)).toEqual([before, live.at(-1)?.frame]);
  const next = await wire.say("/say next", { contextId });
  expect([next.contextId, textOf(next)]).toEqual([contextId, "next"]);
  await second.stop();
  folders.remove();
});

it("an idempotency key still names its task after a restart", async () => {
  const folders = temporaryFolders();
  const call = { headers: { "idempotency-key": "over-a-restart" } };
  let first: Json;
  {
    await using running = await startTestService({ folders });
    first = await running.wire.result("message/send", textParams("/say once"), call);
  }
  await using again = await startTestService({ folders });
  expect(await again.wire.result("message/send", textParams("/say once"), call)).toEqual(first);
  expect(await again.wire.error("message/send", textParams("/say twice"), call)).toMatchObject({ code: -32602 });
  await again.stop();
  folders.remove();
});

it("a blank store path keeps everything in memory, reports that, and writes no file into the home", async () => {
  await using running = await startTestService({
    config: 'model: { name: "scripted:demo" }\ncheckpoint: { db_path: "" }\nmiddleware: { audit: false }\n',
  });
  expect(running.service.banner).toMatch(/memory.*in memory only/);
  const task = await running.wire.say(LONG);
  expect(await running.wire.result("tasks/get", { id: task.id })).toEqual(task);
  expect(readdirSync(running.folders.home, { recursive: true })).toEqual([]);
});

it("while it goes down, new work is refused with 503 and Retry-After, and reading still works", async () => {
  await using running = await startTestService();
  const task = await running.wire.say("/say done");
  running.service.core.service.close();
  const refused = await running.wire.answer("message/send", textParams("/say more"));
  expect([refused.status, refused.body.error.code]).toEqual([503, -32603]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await running.wire.result("tasks/get", { id: task.id })).toEqual(task);
});
