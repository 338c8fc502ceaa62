/** `limits`: how many turns work and wait, as it is now (S7). */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Json, textParams, type WaitingTool, waitingTool } from "../testing/index.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const model = 'model: { name: "scripted:demo" }\n';
const config = (running: number, queued: number) =>
  `${model}limits: { max_running_turns: ${running}, max_queued_turns: ${queued} }\n`;

/** The suite fills small limits; `pnpm bounds` those of a service without any setting. */
const isDefault = process.env.TEST_DEFAULT_LIMITS === "1";
const [mostRunning, mostQueued] = isDefault ? [64, 4_096] : [2, 2];

let running: TestService;
let hold: WaitingTool;
beforeEach(async () => {
  hold = waitingTool();
  running = await startTestService({
    config: isDefault ? model : config(mostRunning, mostQueued),
    tools: [hold.tool],
  });
});
afterEach(async () => {
  hold.release();
  await running.stop({ graceMs: 0 });
});

const say = (text: string) =>
  running.wire.answer("message/send", textParams(text, {}, { configuration: { blocking: false } }));

const load = (): Json => running.service.core.service.runner.queue.load();

async function tasks(): Promise<number> {
  const rows = await running.service.core.db.read({ sql: "SELECT count(*) FROM task", args: [] });
  return Number(rows[0]?.[0]);
}

it("refuses a message when the queue is full before anything of it is accepted, and again takes one when it is not", async ({
  task,
}) => {
  for (let i = 0; i < mostRunning; i++) await say("/call waiting {}\n/then\n/say worked");
  // A turn takes its place when its model has called the tool.
  await expect.poll(() => load().working).toBe(mostRunning);
  for (let i = 0; i < mostQueued; i++) expect((await say("/say in line")).status).toBe(200);
  const before = await tasks();
  const refused = await say("/say no room");
  const { working, waiting } = load();
  task.meta.bounds = [
    { what: "turns at work when the next has to wait", found: working, most: mostRunning, unit: "turns" },
    { what: "turns that wait when a message is refused", found: waiting, most: mostQueued, unit: "turns" },
  ];
  expect([refused.status, refused.body.error.code, await tasks()]).toEqual([429, -32603, before]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const chat = await fetch(`${running.url}/api/chat`, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ message: "/say no room", session_id: "s" }),
  });
  expect([chat.status, Number(chat.headers.get("retry-after")) > 0, await tasks()]).toEqual([429, true, before]);
  hold.release();
  await expect.poll(() => load().running).toBe(0);
  expect((await say("/say room")).status).toBe(200);
});

it("lets turns that wait begin as soon as there may be more", async () => {
  for (let i = 0; i < 2; i++) await say("/call waiting {}");
  await expect.poll(() => load().working).toBe(2);
  for (let i = 0; i < 2; i++) await say("/call waiting {}");
  expect(load()).toMatchObject({ running: 2, working: 2, waiting: 2 });
  running.folders.configure(config(3, 2));
  expect(running.live.reload()).toMatchObject({ ok: true, changed: ["limits.max_running_turns"] });
  await expect.poll(load).toMatchObject({ working: 3 });
  running.folders.configure(config(3, 3));
  expect(running.live.reload()).toMatchObject({ ok: true, changed: ["limits.max_queued_turns"] });
  while (load().waiting < 3) expect((await say("/say in line")).status).toBe(200);
  expect((await say("/say no room")).status).toBe(429);
});

it("counts no turn that waits for its model", async () => {
  for (let i = 0; i < 20; i++) await say("/wait 600000");
  expect(load()).toMatchObject({ running: 20, working: 0, waiting: 0 });
});
