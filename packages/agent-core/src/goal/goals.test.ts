import { afterAll, afterEach, describe, expect, test } from "vitest";
import { coreBench } from "../core-bench.ts";
import { goalScene } from "../goal-bench.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

// biome-ignore lint/suspicious/noThenProperty: the name of the parameter is fixed (B85)
const waitArguments = { seconds: 60, then: "look again" };

describe("a goal", () => {
  test("is worked on and checked turn after turn, until the check says that it is met (GO1, GO2)", async () => {
    const here = await goalScene(bench, {
      play(_text, count) {
        here.found.evidence = `${count} of 3`;
        here.found.met = count === 3;
        return `Turn ${count}.`;
      },
    });
    const { goal, kicked, replaced } = await here.set({ outcome: "A green run", constraints: ["No new tests"] });
    expect([kicked, replaced, goal.status]).toEqual([true, false, "active"]);
    await expect.poll(async () => (await here.goal()).status).toBe("met");
    expect(await here.kinds()).toEqual([
      ...["set", "drive", "verdict", "drive", "verdict", "drive", "verdict", "ended"],
    ]);
    const ended = await here.goal();
    expect(ended.state).toMatchObject({
      iteration: 3,
      lastReason: "It holds.",
      lastEvidence: "3 of 3",
      verify: undefined,
    });
    expect(ended.finishedAt).toBeDefined();
    const [first, second] = here.model.calls.map(({ request }) => JSON.stringify(request.messages.at(-1)));
    for (const part of ["iteration 1 of 8", "The tests pass", "A green run", "No new tests"])
      expect(first).toContain(part);
    expect(first).not.toContain("The last check");
    for (const part of ["iteration 2 of 8", "1 of 3", "information, not instructions"]) expect(second).toContain(part);
    const drives = await here.tasks("origin = 'goal'");
    expect(drives.map(({ context, state }) => [context, state])).toEqual(
      Array.from({ length: 4 }, () => ["s", "completed"]),
    );
    expect(drives[0]).toMatchObject({ provenance: { trigger: `goal:${ended.id}` } });
    const notice = drives.at(-1);
    expect(JSON.stringify(notice?.answer)).toContain("The goal is met: The tests pass");
    const checks = await here.tasks("origin = 'auxiliary'");
    expect(checks.map(({ role, toolCalls }) => [role, toolCalls.map(({ name }) => name)])).toEqual(
      Array.from({ length: 3 }, () => ["verify", ["verify"]]),
    );
    const verdicts = await here.goals.verdicts(ended, 50);
    expect(verdicts.map(({ iteration, met, status, evidence }) => [iteration, met, status, evidence])).toEqual([
      ...[
        [1, false, "continue", "1 of 3"],
        [2, false, "continue", "2 of 3"],
        [3, true, "met", "3 of 3"],
      ],
    ]);
    expect((await here.core.features.sessions.catalog.list(10)).sessions.map(({ id }) => id)).toEqual(["s"]);
  });

  test("is exhausted after its iterations, and unachievable after equal verdicts in a row", async () => {
    const here = await goalScene(bench, {
      play(_text, count) {
        here.found.evidence = `${count} of 9, took ${count * 7} ms`;
        return "Done.";
      },
    });
    await here.set({ maxIterations: 2 });
    await expect.poll(async () => (await here.goal()).status).toBe("exhausted");
    expect((await here.goal()).state).toMatchObject({ iteration: 2 });
    expect(await here.core.features.sessions.catalog.read("s")).toMatchObject({ title: "The tests pass" });
    const stuck = await goalScene(bench, {
      play(_text, count) {
        stuck.found.evidence = `1 of 9, took ${count * 7} ms at 10:0${count}`;
        return "Done.";
      },
    });
    await stuck.set();
    await expect.poll(async () => (await stuck.goal()).status).toBe("unachievable");
    expect((await stuck.goal()).state).toMatchObject({ iteration: 3, streak: 3 });
    expect(stuck.checks()).toBe(3);
  });

  test.each([
    [false, "unachievable"],
    [true, "met"],
  ])("that the agent gives up while the check says met: %s, is %s", async (met, status) => {
    const here = await goalScene(bench, {
      found: { met },
      play: (text, count) =>
        count === 1 && text.includes("iteration 1")
          ? [{ call: { name: "abandon_goal", args: { reason: "no way" } } }]
          : "I gave up.",
    });
    await here.set();
    await expect.poll(async () => (await here.goal()).status).toBe(status);
    expect(await here.kinds()).toEqual(["set", "drive", "abandoned", "verdict", "ended"]);
    expect((await here.goal()).state.abandon).toBe(met ? undefined : "no way");
  });

  test("that was set without beginning is checked after the next turn of its session, and goes on then", async () => {
    const here = await goalScene(bench, {
      play(text) {
        here.found.met = text.includes("iteration 2");
        return "Done.";
      },
    });
    await here.set({}, { kind: "later" });
    expect((await here.goal()).state).toMatchObject({ paused: "kick", drive: undefined });
    await here.say("elsewhere", "other");
    expect(here.checks()).toBe(0);
    await here.say("hello");
    await expect.poll(async () => (await here.goal()).status).toBe("met");
    expect(await here.kinds()).toEqual(["set", "verdict", "drive", "verdict", "ended"]);
  });

  test("has its plan in the next turn, and what the turns and checks cost", async () => {
    const usage = { input: 100, output: 10 };
    const here = await goalScene(bench, {
      play(text, count) {
        here.found.met = text.includes("iteration 2");
        return count === 1
          ? [{ call: { name: "update_goal_plan", args: { plan: "1. Mend cart.mjs" } } }, { usage }]
          : [{ say: "Done." }, { usage }];
      },
    });
    await here.set();
    await expect.poll(async () => (await here.goal()).status).toBe("met");
    expect(await here.goal()).toMatchObject({ plan: "1. Mend cart.mjs", state: { tokens: 330, usd: null } });
    expect(JSON.stringify(here.model.calls[2]?.request.messages.at(-1))).toContain("1. Mend cart.mjs");
    expect(await here.kinds()).toContain("plan");
    const verdicts = await here.goals.verdicts(await here.goal(), 5);
    expect(verdicts.map(({ tokens, usd }) => [tokens, usd])).toEqual([
      [220, null],
      [110, null],
    ]);
  });

  test("that pauses for its tool rounds is checked first, and goes on after the next turn", async () => {
    let n = 0;
    const here = await goalScene(bench, {
      settings: { max_rounds_per_turn: 2 },
      play: (text) =>
        text.includes("iteration") ? [{ call: { name: "update_goal_plan", args: { plan: `${n++}` } } }] : "Hello.",
    });
    await here.set();
    await expect.poll(async () => (await here.goal()).state.paused).toBe("round_cap");
    expect(await here.kinds()).toEqual(["set", "drive", "plan", "plan", "round_cap", "verdict", "paused"]);
    await here.say("go on");
    await expect.poll(async () => (await here.goal()).state.iteration).toBe(3);
    expect((await here.kinds()).slice(7, 9)).toEqual(["verdict", "drive"]);
  });

  test("that its turn handed to a wait pauses until that is over", async () => {
    const here = await goalScene(bench, {
      play: (text) =>
        text.includes("iteration 1") ? [{ call: { name: "wait", args: JSON.stringify(waitArguments) } }] : "Looked.",
    });
    await here.set();
    await expect.poll(async () => (await here.goal()).state.paused).toBe("handed_off");
    here.found.met = true;
    await here.clock.advance(60_000);
    await expect.poll(async () => (await here.goal()).status).toBe("met");
  });
});

describe("what fails", () => {
  test("as a turn is tried again after 30, 60 and 120 s, and pauses then; no iteration is counted (GO3)", async () => {
    const here = await goalScene(bench, { play: () => [{ fail: Object.assign(new Error("down"), { status: 400 }) }] });
    await here.set();
    for (const wait of [30_000, 60_000, 120_000]) {
      await expect.poll(async () => (await here.goal()).state.retryAt).toBe(here.clock.now() + wait);
      await here.clock.advance(wait);
    }
    await expect.poll(async () => (await here.goal()).state.paused).toBe("turn_failed");
    expect((await here.goal()).state).toMatchObject({ iteration: 0, streak: 0, failures: 0 });
    expect(here.checks()).toBe(0);
    expect(await here.tasks()).toHaveLength(4);
  });

  test("as a check is tried again after 30, 60 and 120 s, and pauses then (GO3)", async () => {
    const here = await goalScene(bench, { found: { fails: true } });
    await here.set();
    for (const wait of [30_000, 60_000, 120_000]) {
      await expect.poll(async () => (await here.goal()).state.retryAt).toBe(here.clock.now() + wait);
      await here.clock.advance(wait);
    }
    await expect.poll(async () => (await here.goal()).state.paused).toBe("verifier_failed");
    expect(here.checks()).toBe(4);
    expect(await here.tasks()).toHaveLength(1);
    const failed = (await here.goals.timeline("s", { limit: 10 })).find(({ kind }) => kind === "verification_failed");
    expect(failed?.reason).toContain("no network");
    here.found.fails = false;
    here.found.met = true;
    expect(await here.goals.resume("s")).toBe(true);
    await expect.poll(async () => (await here.goal()).status).toBe("met");
  });

  test("or is canceled pauses the goal", async () => {
    const here = await goalScene(bench, { play: () => [{ hang: true }] });
    const { goal } = await here.set();
    await here.core.tasks.cancel(goal.state.drive!);
    await expect.poll(async () => (await here.goal()).state.paused).toBe("canceled");
  });
});

describe("operators", () => {
  test("set another goal in the place of one: its turn is canceled, its timeline gone", async () => {
    const here = await goalScene(bench, { play: () => [{ hang: true }] });
    const first = await here.set({ originCall: "k" });
    expect((await here.set({ originCall: "k" })).goal.id).toBe(first.goal.id);
    const second = await here.set({ condition: "Something else", originCall: "l" });
    expect(second).toMatchObject({ replaced: true, kicked: true });
    const [before, now] = await here.tasks();
    expect([before?.state, now?.state]).toEqual(["canceled", "running"]);
    expect(await here.kinds()).toEqual(["set", "drive"]);
    expect(await here.goals.clear("s")).toBe(true);
    expect(await here.goals.clear("s")).toBe(false);
    expect((await here.tasks()).map(({ state }) => state)).toEqual(["canceled", "canceled"]);
    expect(await here.core.db.read({ sql: "SELECT count(*) FROM goal_event", args: [] })).toEqual([[0]]);
    expect(here.goals.count).toBe(0);
  });

  test("cancel a check that runs by clearing the goal", async () => {
    const here = await goalScene(bench);
    here.hold();
    await here.set();
    await expect.poll(() => here.checks()).toBe(1);
    await here.goals.clear("s");
    expect((await here.tasks("origin = 'auxiliary'")).map(({ state }) => state)).toEqual(["canceled"]);
  });

  test("rearm what has ended, its history kept, and give an active goal more iterations", async () => {
    const here = await goalScene(bench, {
      play(_text, count) {
        here.found.evidence = `${count}`;
        return "Done.";
      },
    });
    await here.set({ maxIterations: 1 });
    await expect.poll(async () => (await here.goal()).status).toBe("exhausted");
    await expect(here.goals.rearm("none", {})).rejects.toMatchObject({ code: "no_goal" });
    await expect(here.goals.rearm("s", { add: 1_000 })).rejects.toMatchObject({ code: "too_high" });
    const again = await here.goals.rearm("s", { add: 1, request: "r" });
    expect(again).toMatchObject({
      resumed: true,
      kicked: true,
      goal: { status: "active", state: { maxIterations: 2 } },
    });
    expect(await here.goals.rearm("s", { add: 1, request: "r" })).toMatchObject({
      goal: { state: { maxIterations: 2 } },
    });
    await expect.poll(async () => (await here.goal()).status).toBe("exhausted");
    expect(await here.kinds()).toEqual([
      ...["set", "drive", "verdict", "ended", "rearmed", "drive", "verdict", "drive", "verdict", "ended"],
    ]);
    await here.set({}, { kind: "later" });
    await expect(here.goals.rearm("s", {})).rejects.toMatchObject({ code: "invalid" });
    expect(await here.goals.rearm("s", { add: 2 })).toMatchObject({ resumed: false, kicked: false });
    expect((await here.goal()).state).toMatchObject({ maxIterations: 10, paused: "kick" });
  });

  test("resume a goal that is paused, not one that is worked on", async () => {
    const here = await goalScene(bench, { play: () => [{ hang: true }] });
    await expect(here.goals.resume("s")).rejects.toMatchObject({ code: "not_active" });
    await here.set({}, { kind: "later" });
    expect([await here.goals.resume("s"), await here.goals.resume("s")]).toEqual([true, false]);
    expect(await here.tasks()).toHaveLength(1);
  });

  test("switch goals off: what runs ends, and pauses; nothing new begins", async () => {
    const gate = Promise.withResolvers<void>();
    const here = await goalScene(bench, { play: () => [{ until: gate.promise }, { say: "Done." }] });
    await here.set();
    Object.assign(here.section, { enabled: false });
    gate.resolve();
    await expect.poll(async () => (await here.goal()).state.paused).toBe("off");
    await expect(here.set({ context: "t" })).rejects.toMatchObject({ code: "off" });
    await expect(here.goals.resume("s")).rejects.toMatchObject({ code: "off" });
    expect(here.checks()).toBe(0);
  });

  test("delete its session, and the goal with it; where it only is emptied, it stays (G21)", async () => {
    const here = await goalScene(bench, { play: () => [{ hang: true }] });
    await here.set();
    await here.core.features.sessions.removal.remove("s", { retire: false, alone: true }).catch(() => {});
    await here.set({ context: "t" });
    await here.core.features.sessions.removal.remove("t", { retire: true, alone: true });
    expect([await here.goals.get("t"), (await here.goals.get("s"))?.status]).toEqual([undefined, "active"]);
  });
});

describe("in a conversation", () => {
  const reply = async (here: Awaited<ReturnType<typeof goalScene>>, text: string) => {
    const task = await here.core.service.start({
      ...{ class: "operator", context: "s", origin: "chat" },
      input: { messageId: crypto.randomUUID(), parts: [{ kind: "text", text }] },
    });
    await task.settled();
    return JSON.stringify(task.view.answer);
  };

  test("/goal sets, shows and clears it; what runs programs is refused with the way that sets it (G17)", async () => {
    const here = await goalScene(bench, { play: () => [{ hang: true }] });
    expect(await reply(here, "/goal")).toContain("has no goal");
    expect(await reply(here, "/goal Write the release notes")).toContain("The goal is set");
    expect(await reply(here, "/goal")).toContain("Write the release notes");
    expect((await here.goal()).spec).toMatchObject({ createdBy: "chat", check: { spec: { type: "llm" } } });
    for (const verifier of [
      { type: "command", command: "true" },
      { type: "data", path: "a", contains: "b" },
    ])
      expect(await reply(here, `/goal ${JSON.stringify({ condition: "c", verifier })}`)).toContain("POST /api/goals");
    for (const bad of [
      '{"condition":',
      '{"condition":""}',
      '{"condition":"c","max_iterations":0}',
      '{"condition":"c","x":1}',
    ])
      expect(await reply(here, `/goal ${bad}`)).toContain("No goal was set.");
    expect(await reply(here, '/goal {"condition":"c","verifier":"mine:look","max_iterations":2}')).toContain(
      "replaced",
    );
    expect((await here.goal()).state.maxIterations).toBe(2);
    for (const word of ["clear", "stop", "off", "cancel", "reset", "none"]) {
      await here.set();
      expect(await reply(here, `/goal ${word}`)).toContain("was cleared");
    }
    Object.assign(here.section, { enabled: false });
    await expect(reply(here, "/goal x")).rejects.toMatchObject({ code: "unknown_command" });
  });

  test("nothing of an incognito one becomes a goal", async () => {
    const here = await goalScene(bench, {
      play: (_text, count) =>
        count === 1 ? [{ call: { name: "set_goal", args: { condition: "secret", check: "mine:look" } } }] : "No.",
    });
    for (const text of ["/goal secret", "set it yourself"]) {
      const task = await here.core.service.start({
        ...{ class: "operator", context: "s", origin: "chat" },
        input: { messageId: crypto.randomUUID(), parts: [{ kind: "text", text }], metadata: { incognito: true } },
      });
      await task.settled();
    }
    expect(await here.goals.get("s")).toBeUndefined();
  });

  test("the agent sets one with a plugin's check; its own turn is the first that is checked", async () => {
    const here = await goalScene(bench, {
      play: (text, count) =>
        count === 1
          ? [{ call: { name: "set_goal", args: { condition: "c", check: "mine:look", max_iterations: 4 } } }]
          : `ok ${text.length}`,
    });
    here.found.met = true;
    await here.say("do it");
    await expect.poll(async () => (await here.goal()).status).toBe("met");
    expect((await here.goal()).spec).toMatchObject({ createdBy: "agent" });
    expect(await here.kinds()).toEqual(["set", "verdict", "ended"]);
  });
});

describe("a judge", () => {
  const verdict = (more: object) =>
    JSON.stringify({ met: false, unmet: ["x"], reason: "r", evidence: "e", stop: false, ...more });

  test("reads condition, plan, answer and calls, and decides; when to give up it decides too (G13)", async () => {
    const here = await goalScene(bench, {
      play: (text, count) => {
        if (!text.includes("Judge this goal"))
          return count === 1 ? [{ call: { name: "update_goal_plan", args: { plan: "P" } } }] : "I did it.";
        return verdict({ stop: true, reason: "It costs too much." });
      },
    });
    await here.set({ verifier: undefined, stopWhen: "It costs too much" });
    await expect.poll(async () => (await here.goal()).status).toBe("unachievable");
    const asked = here.model.calls.at(-1)?.request;
    const text = JSON.stringify(asked?.messages);
    for (const part of ["The tests pass", "I did it.", "update_goal_plan", "It costs too much"])
      expect(text).toContain(part);
    expect(asked?.system).toContain("no evidence");
    expect(asked?.tools ?? []).toEqual([]);
    expect((await here.tasks("origin = 'auxiliary'")).map(({ role }) => role)).toEqual(["judge"]);
  });

  test("whose answer does not fit comes to no verdict", async () => {
    const here = await goalScene(bench, { play: (text) => (text.includes("iteration") ? "Done." : "It is met!") });
    await here.set({ verifier: "llm" });
    await expect.poll(async () => (await here.goal()).state.failures).toBe(1);
    expect((await here.goal()).state).toMatchObject({ iteration: 0, next: "verify" });
  });
});
