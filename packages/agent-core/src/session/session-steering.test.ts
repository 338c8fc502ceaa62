import { afterAll, afterEach, describe, expect, test } from "vitest";
import { coreBench, type StandardCore, textInput } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** A core with a session `c` whose turn waits for its model. */
async function busy(store = bench.newStore()): Promise<StandardCore> {
  const model = scriptedModel([[{ hang: true }]]);
  const core = await bench.start({ store, model });
  await core.service.start({ class: "operator", context: "c", origin: "chat", input: textInput("go") });
  await model.untilCall(1);
  return core;
}

const steering = (core: StandardCore) => core.features.sessions.steering;

describe("steering of a session", () => {
  test("is accepted, listed and withdrawn by its name", async () => {
    const core = await busy();
    expect(await steering(core).add("c", { text: "first", id: "a" })).toEqual({ id: "a", unread: 1, task: undefined });
    const { id, unread } = await steering(core).add("c", { text: "second" });
    expect([id, unread]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 2]);
    expect((await steering(core).list("c")).map((one) => one.id)).toEqual(["a", id]);
    expect(await steering(core).withdraw("c", "a")).toEqual({ removed: true, unread: 1 });
    expect(await steering(core).withdraw("c", "a")).toEqual({ removed: false, unread: 1 });
  });

  test("SM1: the same text under a name is one message, another text under it is refused", async () => {
    const core = await busy();
    await steering(core).add("c", { text: "first", id: "a" });
    expect(await steering(core).add("c", { text: "first", id: "a" })).toEqual({ id: "a", unread: 1, task: undefined });
    await expect(steering(core).add("c", { text: "other", id: "a" })).rejects.toMatchObject({ code: "key_conflict" });
  });

  test("SM1: a request that is carried out again under its key, over a crash, is the same message", async () => {
    const store = bench.newStore();
    const core = await busy(store);
    const request = { key: "0f" };
    const first = await steering(core).add("c", { text: "first" }, request);
    expect(first).toEqual({ id: "steer-0f", unread: 1, task: undefined });
    await bench.crash(core);
    const model = scriptedModel([[{ hang: true }]]);
    const again = await bench.start({ store, model, onRestart: "resume" });
    await model.untilCall(1);
    // The turn that continues has read it, so nothing is left unread.
    expect(await steering(again).add("c", { text: "first" }, request)).toEqual({ ...first, unread: 0 });
    expect(JSON.stringify(model.calls[0]?.request).split("first")).toHaveLength(2);
  });

  test("is refused in a context without messages, and in another class's context of the same name", async () => {
    const core = await bench.start({ model: scriptedModel(() => "Done.") });
    await (
      await core.service.start({ class: "federation", context: "theirs", origin: "a2a", input: textInput("go") })
    ).settled();
    for (const session of ["nowhere", "theirs"]) {
      const unknown = { name: "UnknownSessionError", session };
      await expect(steering(core).add(session, { text: "x" })).rejects.toMatchObject(unknown);
      await expect(steering(core).list(session)).rejects.toMatchObject(unknown);
      await expect(steering(core).withdraw(session, "x")).rejects.toMatchObject(unknown);
    }
  });

  test("reaches a session whose turns all ended", async () => {
    const core = await bench.start({ model: scriptedModel(() => "Done.") });
    await (
      await core.service.start({ class: "operator", context: "c", origin: "chat", input: textInput("go") })
    ).settled();
    await core.service.runner.idle(600_000);
    const { task, unread } = await steering(core).add("c", { text: "one more thing" });
    expect([task, unread]).toEqual([expect.any(String), 0]);
    await (await core.tasks.get(task!))!.settled();
  });
});
