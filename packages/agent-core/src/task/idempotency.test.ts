import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { answerText, coreBench, countedTool, textInput } from "../core-bench.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { KEY_TTL_MS, type RequestKey } from "./request-key.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const request = (key?: RequestKey, of = "operator") =>
  ({ class: of, origin: "a2a", input: textInput("go"), ...(key === undefined ? {} : { key }) }) as const;
const key: RequestKey = { key: "k", digest: "d" };

describe("an idempotency key (A15)", () => {
  test("of the same request names the task it made; nothing new is accepted", async () => {
    const model = scriptedModel(["Done.", "Twice!"]);
    const core = await bench.start({ model });
    const first = await core.service.start(request(key));
    await first.settled();
    const second = await core.service.start(request(key));
    expect([second.id, second.repeated, first.repeated]).toEqual([first.id, true, false]);
    expect(answerText(second)).toBe("Done.");
    expect(model.calls).toHaveLength(1);
  });

  test("that is said to be new is not looked for, and still keeps two requests apart", async () => {
    const model = scriptedModel(["Done.", "Twice!"]);
    const core = await bench.start({ model });
    const read = vi.spyOn(core.db, "read");
    const own: RequestKey = { key: "one of its own", digest: "d" };
    const asked = { ...request(own), context: "c", isNewKey: true } as const;
    const first = await core.service.start(asked);
    expect(JSON.stringify(read.mock.calls)).not.toContain(own.key);
    await first.settled();
    const second = await core.service.start(asked);
    expect([second.id, second.repeated, model.calls.length]).toEqual([first.id, true, 1]);
    await expect(core.service.start({ ...asked, key: { ...own, digest: "other" } })).rejects.toMatchObject({
      code: "key_conflict",
    });
  });

  test.each([undefined, "c"])("of requests at the same moment makes one task (context %s)", async (context) => {
    const model = scriptedModel(() => "Done.");
    const core = await bench.start({ model });
    const repetitions = await Promise.all(
      Array.from({ length: 8 }, () =>
        core.service.start({ ...request(key), ...(context === undefined ? {} : { context }) }),
      ),
    );
    expect(new Set(repetitions.map((one) => one.id)).size).toBe(1);
    expect(repetitions.filter((one) => !one.repeated)).toHaveLength(1);
    await repetitions[0]!.settled();
    await core.service.runner.idle(600_000);
    expect(model.calls).toHaveLength(1);
    expect(await core.db.read({ sql: "SELECT count(*) FROM task", args: [] })).toEqual([[1]]);
    expect(core.load()).toEqual({ running: 0, waiting: 0 });
  });

  test("of a different request is refused and changes nothing", async () => {
    const model = scriptedModel(["Done."]);
    const core = await bench.start({ model });
    await (await core.service.start(request(key))).settled();
    await expect(core.service.start(request({ key: "k", digest: "other" }))).rejects.toMatchObject({
      code: "key_conflict",
    });
    expect(await core.db.read({ sql: "SELECT count(*) FROM task", args: [] })).toEqual([[1]]);
  });

  test("belongs to its class (A16)", async () => {
    const core = await bench.start({ model: scriptedModel(() => "Done.") });
    const mine = await core.service.start(request(key));
    const theirs = await core.service.start(request(key, "federation"));
    expect(theirs.id).not.toBe(mine.id);
    await Promise.all([mine.settled(), theirs.settled()]);
  });

  test("is forgotten after 24 hours", async () => {
    const clock = manualClock();
    const core = await bench.start({ model: scriptedModel(() => "Done."), clock });
    const first = await core.service.start(request(key));
    await first.settled();
    const { db } = core;
    const created = "UPDATE idempotency SET created_at = created_at - ?";
    await db.commit({ label: "test", statements: [{ sql: created, args: [KEY_TTL_MS] }] });
    expect((await core.service.start(request(key))).id).toBe(first.id);
    await db.commit({ label: "test", statements: [{ sql: created, args: [1] }] });
    const later = await core.service.start(request({ key: "k", digest: "other" }));
    expect(later.id).not.toBe(first.id);
    await later.settled();
  });

  test("is stored with its task: after a crash it names the task (TU5)", async () => {
    const store = bench.newStore();
    const core1 = await bench.start({ store, model: scriptedModel([[{ hang: true }]]) });
    const first = await core1.service.start(request(key));
    await bench.crash(core1);
    const core2 = await bench.start({ store, model: scriptedModel([]) });
    const again = await core2.service.start(request(key));
    expect(again.id).toBe(first.id);
    expect(again.view).toMatchObject({ state: "failed", failure: { code: "interrupted" } });
  });
});

test("a task's own id names it when the request is repeated, whatever its text is then", async () => {
  const model = scriptedModel(["Done."]);
  const core = await bench.start({ model });
  const first = await core.service.start({ ...request(), id: "chosen" });
  await first.settled();
  const again = await core.service.start({ ...request(), id: "chosen", input: textInput("something else") });
  expect([again.id, again.repeated, model.calls.length]).toEqual(["chosen", true, 1]);
  expect(answerText(again)).toBe("Done.");
});

describe("an idempotency key of a reply (A15)", () => {
  const parked = async () => {
    const tool = countedTool("asks", { run: () => park.question("?") }).tool;
    const model = scriptedModel([[{ call: { name: "asks" } }], "Thanks."]);
    const core = await bench.start({ model, tools: [tool] });
    const task = await core.service.start(request());
    await task.settled();
    return { core, task, reply: { class: "operator", input: textInput("Rome"), key } };
  };

  test("answers once, and the repeated reply names the task", async () => {
    const { core, task, reply } = await parked();
    await core.service.answer(task.id, reply);
    await task.settled();
    const again = await core.service.answer(task.id, reply);
    expect([again.id, again.repeated]).toEqual([task.id, true]);
    expect(task.view.state).toBe("completed");
  });

  test("answers once also when the replies come at the same moment", async () => {
    const { core, task, reply } = await parked();
    const repetitions = await Promise.all([1, 2, 3].map(() => core.service.answer(task.id, reply)));
    expect(repetitions.filter((one) => one.repeated)).toHaveLength(2);
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(task.view.history.filter((entry) => entry.from === "caller")).toHaveLength(2);
  });
});
