import { park } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import {
  answerText,
  callsOf,
  coreBench,
  countedTool,
  eventsOf,
  followed,
  holdCommit,
  textInput,
} from "../core-bench.ts";
import { type ScriptedModel, scriptedModel } from "../testing/scripted-model.ts";
import { INTERRUPTED } from "./reconcile.ts";
import type { StartTask } from "./start-task.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const asks = () => countedTool("asks", { run: () => park.question("Which city?") }).tool;

/** A store whose process died with a task running, one queued behind it, and one parked. */
async function dead() {
  const store = bench.newStore();
  const model = scriptedModel((request) =>
    JSON.stringify(request.messages.at(-1)).includes("ask") ? [{ call: { name: "asks" } }] : [{ hang: true }],
  );
  const core = await bench.start({ store, model, tools: [asks()] });
  const parked = await core.tasks.start({ context: "p", text: "ask" });
  await parked.settled();
  const running = await core.tasks.start({ context: "r", text: "run" });
  const queued = await core.tasks.start({ context: "r", text: "wait" });
  await model.untilCall(2);
  await bench.crash(core);
  return { store, running: running.id, queued: queued.id, parked: parked.id };
}

const echo = (): ScriptedModel =>
  scriptedModel((request) => `Heard: ${JSON.stringify(request.messages.at(-1)).match(/"text":"([^"]*)"/)?.[1]}`);

describe("a restart with `fail` (A18)", () => {
  test("fails every open task, parked ones included, logs it, and expires their prompts", async () => {
    const { store, ...ids } = await dead();
    const model = echo();
    const core = await bench.start({ store, model, tools: [asks()], onRestart: "fail" });
    expect(core.reconciled).toEqual({ failed: 3, resumed: 0, parked: 0 });
    for (const id of Object.values(ids)) {
      const task = (await core.tasks.get(id))!;
      expect(task.view).toMatchObject({ state: "failed", failure: INTERRUPTED, prompts: [], modelCall: undefined });
      expect(task.view.failure?.message).toContain("interrupted by a server restart");
      expect((await eventsOf(core, id)).at(-1)?.event.kind).toBe("task.failed");
    }
    expect(await core.db.read({ sql: "SELECT state FROM prompt", args: [] })).toEqual([["expired"]]);
    expect(await callsOf(core, ids.parked)).toMatchObject([{ outcome: "aborted" }]);
    expect(await core.journal.openTaskIds()).toEqual([]);
    expect(model.calls).toEqual([]);
  });

  test("ends those of a stop side by side: one that the store is slow to take does not hold up the others", async () => {
    const held = holdCommit("task.failed:before");
    const model = scriptedModel(() => [{ hang: true }]);
    const core = await bench.start({ model, failpoints: held.failpoints, onRestart: "fail" });
    for (const context of ["a", "b", "c"]) await core.tasks.start({ context, text: "?" });
    const stopped = core.stop({ graceMs: 0 });
    await held.reached;
    const failed = { sql: "SELECT count(*) FROM task WHERE state = 'failed'", args: [] };
    await expect.poll(() => core.db.read(failed)).toEqual([[2]]);
    held.release();
    await stopped;
  });

  test("closes each call that was open, in its row and in the journal (EN3)", async () => {
    const store = bench.newStore();
    const hangs = () => new Promise<never>(() => {});
    const tools = (["pure", "effect"] as const).map((effect) => countedTool(effect, { effect, run: hangs }).tool);
    const model = scriptedModel([[{ call: { name: "pure" } }, { call: { name: "effect" } }]]);
    const first = await bench.start({ store, model, tools });
    const task = await first.tasks.start({ text: "?" });
    await followed(task).until("tool.started", 2);
    await bench.crash(first);
    const core = await bench.start({ store, model: echo(), tools, onRestart: "fail" });
    const kinds = (await eventsOf(core, task.id)).flatMap(({ event }) =>
      event.kind === "tool.finished" ? [[event.name, event.outcome]] : [],
    );
    expect(kinds).toEqual([
      ["pure", "aborted"],
      ["effect", "unknown"],
    ]);
    expect((await callsOf(core, task.id)).map(({ outcome }) => outcome)).toEqual(["aborted", "unknown"]);
  });

  test("closes the call of a direct call too, which no model call came before (EN3, M19)", async () => {
    const store = bench.newStore();
    const hangs = () => new Promise<never>(() => {});
    const tools = [countedTool("effect", { effect: "effect", run: hangs }).tool, asks()];
    const first = await bench.start({ store, model: echo(), tools });
    const task = await first.directCalls.start({ tool: "effect", args: {} });
    await followed(task).until("tool.started");
    const parked = await first.directCalls.start({ tool: "asks", args: {} });
    await parked.settled();
    await bench.crash(first);
    const core = await bench.start({ store, model: echo(), tools, onRestart: "fail" });
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "unknown" }]);
    expect(await callsOf(core, parked.id)).toMatchObject([{ outcome: "aborted" }]);
    for (const { id } of [task, parked])
      expect((await eventsOf(core, id)).map(({ event }) => event.kind).slice(-2)).toEqual([
        "tool.finished",
        "task.failed",
      ]);
  });

  test("leaves the contexts usable", async () => {
    const { store } = await dead();
    const core = await bench.start({ store, model: echo(), onRestart: "fail" });
    const next = await core.tasks.start({ context: "r", text: "anybody?" });
    await next.settled();
    expect(answerText(next)).toBe("Heard: anybody?");
  });
});

describe("a restart with `resume` (A18)", () => {
  test("continues with the running and the queued task in their order; the parked one waits and can be answered", async () => {
    const { store, ...ids } = await dead();
    const model = echo();
    const core = await bench.start({ store, model, tools: [asks()], onRestart: "resume" });
    expect(core.reconciled).toEqual({ failed: 0, resumed: 2, parked: 1 });
    const [running, queued, parked] = await Promise.all(
      [ids.running, ids.queued, ids.parked].map(async (id) => (await core.tasks.get(id))!),
    );
    await Promise.all([running!.settled(), queued!.settled()]);
    expect(running!.view.state).toBe("completed");
    expect(answerText(queued!)).toBe("Heard: wait");
    const kinds = (await eventsOf(core, ids.running)).map(({ event }) => event.kind);
    expect(kinds.slice(2, 5)).toEqual(["task.resumed", "model.failed", "model.started"]);
    expect((await eventsOf(core, ids.queued)).map(({ event }) => event.kind)).toContain("task.started");
    expect(parked!.view).toMatchObject({ state: "parked", prompts: [{ payload: { question: "Which city?" } }] });
    await core.tasks.answer(ids.parked, { answer: "Rome" });
    expect(await parked!.settled()).toMatchObject({ state: "completed" });
    expect(answerText(parked!)).toBe("Heard: Rome");
  });

  test("resets text that was shown but is no answer, and readers carry on by number (A20, EN2)", async () => {
    const store = bench.newStore();
    const core1 = await bench.start({ store, model: scriptedModel([[{ say: "Half an ans" }, { hang: true }]]) });
    const task = await core1.tasks.start({ text: "?" });
    const reader = followed(task);
    await reader.until("text.delta");
    const seen = [...reader.events];
    await bench.crash(core1);
    await reader.leave();
    const core2 = await bench.start({ store, model: scriptedModel(["A whole answer."]), onRestart: "resume" });
    const again = (await core2.tasks.get(task.id))!;
    const rest = followed(again, seen.at(-1)!.seq);
    await rest.done;
    expect([...seen, ...rest.events].map(({ seq }) => seq)).toEqual(
      [...seen, ...rest.events].map((_, index) => index + 1),
    );
    expect(rest.events.slice(0, 3).map(({ event }) => event.kind)).toEqual([
      "task.resumed",
      "model.failed",
      "text.reset",
    ]);
    expect(await eventsOf(core2, task.id)).toEqual([...seen, ...rest.events]);
    expect(answerText(again)).toBe("A whole answer.");
  });

  test("runs at most as many at a time as it may (S7)", async () => {
    const store = bench.newStore();
    const core1 = await bench.start({ store, model: scriptedModel(() => [{ hang: true }]) });
    const tasks = await Promise.all(Array.from({ length: 6 }, (_, i) => core1.tasks.start({ text: `${i}` })));
    await bench.crash(core1);
    let running = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    const model: ScriptedModel["stream"] = async function* () {
      most = Math.max(most, ++running);
      if (most === 2) both.resolve();
      await both.promise;
      running--;
      yield { kind: "finish", reason: "stop" };
    };
    const core2 = await bench.start({ store, model: { stream: model }, onRestart: "resume", turns: { maxBegun: 2 } });
    for (const { id } of tasks)
      expect(await (await core2.tasks.get(id))!.settled()).toMatchObject({ state: "completed" });
    expect(most).toBe(2);
  });
});

describe("a restart with `auto`, the default (A18)", () => {
  const hang = () => scriptedModel(() => [{ hang: true }]);
  const START = { class: "operator", origin: "a2a" } as const;
  const surface = (name: string) => ({ input: textInput("go", { surface: name }) });
  const starts: { readonly [who: string]: Omit<StartTask, "input"> & { readonly input?: StartTask["input"] } } = {
    "another program": START,
    "a peer that calls itself the console": { ...START, class: "federation", ...surface("console") },
    "another program with a surface of its own": { ...START, ...surface("their-app") },
    "the console": { ...START, ...surface("console") },
    "the command line": { ...START, ...surface("cli") },
    "the chat": { ...START, origin: "chat" },
    "/v1": { ...START, origin: "v1" },
    "the inbox": { ...START, origin: "inbox" },
    "a job": { ...START, origin: "background" },
  };
  const FAILS = [
    "another program",
    "a peer that calls itself the console",
    "another program with a surface of its own",
  ];

  /** A store whose process died while these tasks ran; what each became under `how`. */
  async function after(how: "crash" | "stop") {
    const store = bench.newStore();
    const core = await bench.start({ store, model: hang() });
    const ids = new Map<string, string>();
    for (const [who, start] of Object.entries(starts)) {
      const { id } = await core.service.start({ input: textInput("go"), ...start });
      ids.set(who, id);
      const parent = { task: id, call: `call-${who}` };
      const child = await core.service.start({ ...START, input: textInput("help"), origin: "subagent", parent });
      ids.set(`a delegation of ${who}`, child.id);
    }
    if (how === "crash") await bench.crash(core);
    else await core.stop({ graceMs: 1 });
    const next = await bench.start({ store, model: hang() });
    const states = new Map<string, string | undefined>();
    for (const [who, id] of ids) states.set(who, (await next.tasks.get(id))?.view.failure?.code);
    return { states, next };
  }

  test.each(["crash", "stop"] as const)(
    "fails after a %s what another program sent over A2A, and nothing else",
    async (how) => {
      const { states, next } = await after(how);
      const failed = [...states].flatMap(([who, code]) => (code === INTERRUPTED.code ? [who] : []));
      expect(failed.toSorted()).toEqual([...FAILS, ...FAILS.map((who) => `a delegation of ${who}`)].toSorted());
      const others = 2 * (Object.keys(starts).length - FAILS.length);
      expect(next.reconciled).toEqual({ failed: how === "crash" ? 2 * FAILS.length : 0, resumed: others, parked: 0 });
    },
  );

  test("unread steering of a task that failed waits for the next message, however often the process restarts", async () => {
    const store = bench.newStore();
    const model = scriptedModel(() => [{ hang: true }]);
    const first = await bench.start({ store, model });
    for (const origin of ["a2a", "chat"] as const) {
      await first.service.start({ ...START, origin, context: origin, input: textInput("go") });
      await first.service.steer({ ...START, origin, context: origin, input: textInput("and then?") });
    }
    await first.stop({ graceMs: 1 });
    for (let restart = 0; restart < 2; restart++) {
      const again = scriptedModel(() => [{ hang: true }]);
      const core = await bench.start({ store, model: again });
      await again.untilCall(1);
      expect(core.load()).toEqual({ running: 1, waiting: 0 });
      expect(core.service.unread({ class: "operator", context: "a2a" })).toHaveLength(1);
      await core.stop({ graceMs: 1 });
    }
  });
});

describe("stopping", () => {
  test("takes nothing new, lets the running turn end and starts no waiting one", async () => {
    const store = bench.newStore();
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { say: "Just in time." }], "Never."]);
    const core = await bench.start({ store, model, onRestart: "fail" });
    const first = await core.tasks.start({ context: "c", text: "1" });
    const second = await core.tasks.start({ context: "c", text: "2" });
    await model.untilCall(1);
    const stopping = core.stop();
    await expect(core.tasks.start({ text: "3" })).rejects.toMatchObject({ code: "draining", retryAfterSeconds: 5 });
    await expect(
      core.service.steer({ class: "operator", context: "c", origin: "a2a", input: textInput("x") }),
    ).rejects.toMatchObject({ code: "draining" });
    gate.resolve();
    await stopping;
    expect(answerText(first)).toBe("Just in time.");
    expect(second.view).toMatchObject({ state: "failed", failure: INTERRUPTED });
    expect(model.calls).toHaveLength(1);
    const next = await bench.start({ store, model: scriptedModel([]) });
    expect(next.reconciled).toEqual({ failed: 0, resumed: 0, parked: 0 });
  });

  test("fails what does not end within the grace, its model call aborted", async () => {
    const model = scriptedModel([[{ hang: true }]]);
    const core = await bench.start({ store: bench.newStore(), model, onRestart: "fail" });
    const task = await core.tasks.start({ text: "?" });
    await model.untilCall(1);
    await core.stop({ graceMs: 1 });
    expect(task.view).toMatchObject({ state: "failed", failure: INTERRUPTED });
    expect(model.calls[0]?.options.signal.aborted).toBe(true);
  });

  test("with `resume` leaves everything for the next process, which continues under the effect rule", async () => {
    const store = bench.newStore();
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
    const core = await bench.start({ store, model: model(), tools: [slow.tool], onRestart: "resume" });
    const task = await core.tasks.start({ text: "?" });
    await inside.promise;
    await core.stop({ graceMs: 1 });
    expect(task.view.state).toBe("running");
    const quick = countedTool("slow", { effect: "idempotent" });
    const next = await bench.start({ store, model: model(), tools: [quick.tool], onRestart: "resume" });
    const again = (await next.tasks.get(task.id))!;
    await again.settled();
    expect(answerText(again)).toBe("Done.");
    expect(quick.runs).toEqual(slow.runs);
  });
});

describe("a turn that cannot be begun", () => {
  test("because its conversation cannot be read fails with a reason", async () => {
    const gate = Promise.withResolvers<void>();
    const model = scriptedModel([[{ until: gate.promise }, { say: "One." }], "Two."]);
    const core = await bench.start({ model });
    const first = await core.tasks.start({ context: "c", text: "1" });
    const second = await core.tasks.start({ context: "c", text: "2" });
    const damage = { sql: "UPDATE message SET body = '{' WHERE task = ?", args: [first.id] };
    await core.db.commit({ label: "test", statements: [damage] });
    gate.resolve();
    expect(await first.settled()).toMatchObject({ state: "completed" });
    expect(await second.settled()).toMatchObject({ state: "failed", failure: { code: "internal" } });
    expect(core.load()).toEqual({ running: 0, waiting: 0 });
  });
});
