import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, expect, test } from "vitest";
import { answerText, callsOf, coreBench, countedTool, eventsOf, followed } from "./core-bench.ts";
import { type HranaDouble, startHranaDouble } from "./testing/hrana-double.ts";
import { scriptedModel } from "./testing/scripted-model.ts";
import { EVENTS, renderKinds, webhookBench } from "./webhook-bench.ts";

/** The engine's main flows with its store behind a server (R11): same schema, same code. */
const bench = coreBench();
const folder = mkdtempSync(join(tmpdir(), "remote-core-"));
let files = 0;
const servers: HranaDouble[] = [];
afterEach(async () => {
  await bench.end();
  for (const server of servers.splice(0)) await server.close();
});
afterAll(() => {
  bench.remove();
  rmSync(folder, { recursive: true });
});

async function server(): Promise<HranaDouble> {
  const double = await startHranaDouble(join(folder, `${files++}.db`));
  servers.push(double);
  return double;
}

test("a turn with tools, a park and an answer runs against a server, and replays as it was seen", async () => {
  const { url } = await server();
  const asks = countedTool("asks", { run: () => park.question("Which city?") });
  const write = countedTool("write");
  const model = scriptedModel([
    [{ say: "Well" }, { call: { name: "asks" } }, { call: { name: "write" } }],
    [{ say: "Rome " }, { say: "it is." }],
  ]);
  const core = await bench.start({ store: url, model, tools: [asks.tool, write.tool] });
  expect(core.db.durable).toBe(true);
  const task = await core.tasks.start({ text: "go" });
  const first = followed(task);
  await first.done;
  expect(task.view.state).toBe("parked");
  await core.tasks.answer(task.id, { answer: "Rome" });
  const rest = followed(task, first.events.at(-1)!.seq);
  await rest.done;
  expect(answerText(task)).toBe("Rome it is.");
  expect(await eventsOf(core, task.id)).toEqual([...first.events, ...rest.events]);
  expect((await callsOf(core, task.id)).map((call) => call.outcome)).toEqual(["ok", "ok"]);
  expect(write.runs).toHaveLength(1);
});

test("many tasks at once, one of them canceled, all end as they should", async () => {
  const { url } = await server();
  const model = scriptedModel((request) =>
    JSON.stringify(request.messages).includes("hang") ? [{ hang: true }] : "Done.",
  );
  const core = await bench.start({ store: url, model });
  const tasks = await Promise.all(
    Array.from({ length: 20 }, (_, i) => core.tasks.start({ text: i === 7 ? "hang" : "go" })),
  );
  await core.tasks.cancel(tasks[7]!.id);
  const views = await Promise.all(tasks.map((task) => task.settled()));
  expect(views.map((view) => view.state)).toEqual(
    Array.from({ length: 20 }, (_, i) => (i === 7 ? "canceled" : "completed")),
  );
});

test("a commit whose reply was lost counts once: nothing runs twice and no number is missing (EN9)", async () => {
  const double = await server();
  const write = countedTool("write");
  const model = scriptedModel([[{ call: { name: "write" } }], "Done."]);
  const core = await bench.start({ store: double.url, model, tools: [write.tool] });
  let commits = 0;
  double.intercept(({ sql }) => {
    const commit = sql.some((text) => /insert into "?event/i.test(text));
    return commit && ++commits % 2 === 0 ? { apply: true, reply: false } : undefined;
  });
  const task = await core.tasks.start({ text: "go" });
  expect(await task.settled()).toMatchObject({ state: "completed" });
  double.intercept(undefined);
  expect(write.runs).toHaveLength(1);
  const events = await eventsOf(core, task.id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
});

test("a second core takes over what the first one left, after it has released the store", async () => {
  const { url } = await server();
  const inside = Promise.withResolvers<void>();
  const slow = countedTool("slow", {
    effect: "idempotent",
    run: () => {
      inside.resolve();
      return new Promise(() => {});
    },
  });
  const model = () =>
    scriptedModel((request) => (request.messages.at(-1)?.role === "tool" ? "Done." : [{ call: { name: "slow" } }]));
  const core1 = await bench.start({ store: url, model: model(), tools: [slow.tool], onRestart: "resume" });
  const task = await core1.tasks.start({ text: "go" });
  await inside.promise;
  await bench.crash(core1);
  const quick = countedTool("slow", { effect: "idempotent" });
  const core2 = await bench.start({ store: url, model: model(), tools: [quick.tool], onRestart: "resume" });
  const again = (await core2.tasks.get(task.id))!;
  await again.settled();
  expect(answerText(again)).toBe("Done.");
  expect(quick.runs).toEqual(slow.runs);
});

test("webhooks are registered with their task, bounded, sent, retried and continue after a restart", async () => {
  const hooks = await webhookBench(renderKinds, (await server()).url);
  const record = await hooks.accept("t", hooks.config("t"));
  await hooks.rest();
  const sets = Array.from({ length: 16 }, (_, i) => hooks.webhooks.set(hooks.config("t", { id: `c${i}` })));
  const ends = await Promise.allSettled(sets);
  expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
  for (let i = 0; i < 16; i++) await hooks.webhooks.remove(hooks.config("t", { id: `c${i}` }));
  await hooks.rest();
  hooks.receivers.behave(500);
  const before = hooks.receivers.posts.length;
  await hooks.append(record, EVENTS.answer, EVENTS.completed);
  await hooks.pass(1_500);
  hooks.receivers.behave(200);
  await hooks.restart();
  await hooks.pass(60_000);
  expect(hooks.receivers.posts.slice(before).map(({ id }) => id)).toEqual(["t/3", "t/3", "t/3"]);
  expect(hooks.webhooks.load().open).toBe(0);
  await hooks.end();
});
