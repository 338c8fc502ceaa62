import { type AnyTool, OutcomeUnknownError, type ParkAnswer, park, type ToolContext } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, call, caller, callsOf, coreBench, countedTool, holdCommit } from "../../core-bench.ts";
import type { AgentEngine } from "../../create-agent-core.ts";
import { newBatch } from "./call-batch.ts";
import { noteKeeper } from "./call-note.ts";

/** What a call keeps, and how it continues by that after a crash. The second core takes the store over and resumes. */
const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const forever = () => new Promise<never>(() => {});
const EFFECTS = ["pure", "effect"] as const;

/** A tool that counts which of its functions ran. */
function tracked(more: Partial<AnyTool>) {
  const asked: string[] = [];
  const { tool } = countedTool("dig", {
    reattach: (_, context) => {
      asked.push("reattach");
      return `found ${JSON.stringify(context.kept)}`;
    },
    reconcile: async () => {
      asked.push("reconcile");
      return "it happened";
    },
    ...more,
    run: (input, context) => {
      asked.push("run");
      return more.run?.(input, context) ?? "dug";
    },
  });
  return { tool, asked };
}

async function notesOf(core: AgentEngine, task: string) {
  return core.db.read({ sql: "SELECT note FROM call WHERE task = ? ORDER BY started_at, id", args: [task] });
}

/** Starts the call in a process that dies once `reached` resolves, and continues with `after` in another one. */
async function crashed(before: AnyTool, reached: Promise<unknown>, after: AnyTool) {
  const options = { store: bench.newStore(), model: caller([call("dig")]), onRestart: "resume" } as const;
  const core1 = await bench.start({ ...options, tools: [before] });
  const { id } = await core1.tasks.start({ text: "dig" });
  await reached;
  await bench.crash(core1);
  const core2 = await bench.start({ ...options, tools: [after] });
  const task = (await core2.tasks.get(id))!;
  return { core: core2, task };
}

describe.each(EFFECTS)("a call that a crash left open after it had kept a note (%s)", (effect) => {
  test("continues in reattach, with the note kept last", async () => {
    const kept = Promise.withResolvers<void>();
    const first = tracked({
      effect,
      run: async (_, context) => {
        await context.keep({ job: 1 });
        await context.keep({ job: 2 });
        kept.resolve();
        return forever();
      },
    });
    const second = tracked({ effect });
    const { core, task } = await crashed(first.tool, kept.promise, second.tool);
    expect(await task.settled()).toMatchObject({ state: "completed" });
    expect(answerText(task)).toBe('found {"job":2}');
    expect([first.asked, second.asked]).toEqual([["run"], ["reattach"]]);
    expect(await callsOf(core, task.id)).toMatchObject([{ outcome: "ok", result: 'found {"job":2}' }]);
    expect(await notesOf(core, task.id)).toEqual([[null]]);
  });

  test.each(["before", "after"] as const)("died %s the commit of the note", async (moment) => {
    const held = holdCommit(`turn.call-note:${moment}`);
    const store = bench.newStore();
    const options = { store, model: caller([call("dig")]), onRestart: "resume" } as const;
    const first = tracked({ effect, run: (_, context) => context.keep({ job: 1 }).then(() => "not reached") });
    const core1 = await bench.start({ ...options, tools: [first.tool], failpoints: held.failpoints });
    const { id } = await core1.tasks.start({ text: "dig" });
    await held.reached;
    await bench.crash(core1);
    const second = tracked({ effect });
    const core2 = await bench.start({ ...options, tools: [second.tool] });
    await (await core2.tasks.get(id))!.settled();
    const unkept = effect === "effect" ? ["reconcile"] : ["run"];
    expect(second.asked).toEqual(moment === "after" ? ["reattach"] : unkept);
  });
});

test("reattach runs again after a crash in it, and may park", async () => {
  const kept = Promise.withResolvers<void>();
  const again = Promise.withResolvers<void>();
  const options = { store: bench.newStore(), model: caller([call("dig")]), onRestart: "resume" } as const;
  const run = (_: unknown, context: ToolContext) => context.keep("job 1").then(kept.resolve).then(forever);
  const core1 = await bench.start({ ...options, tools: [tracked({ run }).tool] });
  const { id } = await core1.tasks.start({ text: "dig" });
  await kept.promise;
  await bench.crash(core1);
  const reattach = (_: unknown, context: ToolContext) => context.keep("job 2").then(again.resolve).then(forever);
  const core2 = await bench.start({ ...options, tools: [tracked({ reattach }).tool] });
  await again.promise;
  await bench.crash(core2);
  const third = tracked({
    reattach: (_, { kept: note }) => park.question(`What of ${note as string}?`),
    resume: (_, answer, { kept: note }) => JSON.stringify([answer, note]),
  });
  const core3 = await bench.start({ ...options, tools: [third.tool] });
  const task = (await core3.tasks.get(id))!;
  expect(await task.settled()).toMatchObject({ prompts: [{ payload: { question: "What of job 2?" } }] });
  await core3.tasks.answer(id, { answer: "end it" });
  await task.settled();
  expect(JSON.parse(answerText(task)!)).toEqual([{ kind: "question", text: "end it" }, "job 2"]);
  expect(third.asked).toEqual([]);
});

describe("a note of a call that parked", () => {
  const asks = (more: Partial<AnyTool>) =>
    tracked({
      run: async (_, context) => {
        await context.keep({ state: "opaque" });
        return park.question("Sure?");
      },
      ...more,
    });

  test("is read in resume, in another process too", async () => {
    const options = { store: bench.newStore(), model: caller([call("dig")]), onRestart: "resume" } as const;
    const core1 = await bench.start({ ...options, tools: [asks({}).tool] });
    const before = await core1.tasks.start({ text: "dig" });
    await before.settled();
    await bench.crash(core1);
    const second = asks({ resume: (_, answer: ParkAnswer, { kept }) => JSON.stringify([answer, kept]) });
    const core2 = await bench.start({ ...options, tools: [second.tool] });
    await core2.tasks.answer(before.id, { answer: "yes" });
    const task = (await core2.tasks.get(before.id))!;
    await task.settled();
    expect(JSON.parse(answerText(task)!)).toEqual([{ kind: "question", text: "yes" }, { state: "opaque" }]);
    expect(second.asked).toEqual([]);
  });

  test.each([
    ["effect", "reattach"],
    ["idempotent", "resume"],
  ] as const)("of an answered call that a crash left open (%s) is read in %s", async (effect, by) => {
    const resumed = Promise.withResolvers<void>();
    const options = { store: bench.newStore(), model: caller([call("dig")]), onRestart: "resume" } as const;
    const first = asks({
      effect,
      resume: () => {
        resumed.resolve();
        return forever();
      },
    });
    const core1 = await bench.start({ ...options, tools: [first.tool] });
    const before = await core1.tasks.start({ text: "dig" });
    await before.settled();
    await core1.tasks.answer(before.id, { answer: "yes" });
    await resumed.promise;
    await bench.crash(core1);
    const second = asks({
      effect,
      resume: (_, answer: ParkAnswer, { kept }) => JSON.stringify(["resume", answer, kept]),
      reattach: (_, { earlierAnswers, kept }) => JSON.stringify(["reattach", ...earlierAnswers, kept]),
    });
    const core2 = await bench.start({ ...options, tools: [second.tool] });
    const task = (await core2.tasks.get(before.id))!;
    await task.settled();
    expect(JSON.parse(answerText(task)!)).toEqual([by, { kind: "question", text: "yes" }, { state: "opaque" }]);
  });
});

test("a call that a call made continues by its note, in the calling call's next run", async () => {
  const kept = Promise.withResolvers<void>();
  const { tool: script } = countedTool("script", {
    effect: "pure",
    callsTools: true,
    run: async (_, { calls }) => {
      const made = await calls!.call("dig", "{}");
      return made.kind === "ended" ? `read: ${made.text}` : "waits";
    },
  });
  const run = (_: unknown, context: ToolContext) => context.keep("job 3").then(kept.resolve).then(forever);
  const options = { store: bench.newStore(), model: caller([call("script")]), onRestart: "resume" } as const;
  const core1 = await bench.start({ ...options, tools: [script, tracked({ run }).tool] });
  const { id } = await core1.tasks.start({ text: "dig" });
  await kept.promise;
  await bench.crash(core1);
  const second = tracked({});
  const core2 = await bench.start({ ...options, tools: [script, second.tool] });
  const task = (await core2.tasks.get(id))!;
  await task.settled();
  expect(answerText(task)).toBe('read: found "job 3"');
  expect(second.asked).toEqual(["reattach"]);
});

test("a tool without reattach reads its note in reconcile, and after an approval to run again", async () => {
  const kept = Promise.withResolvers<void>();
  const seen: unknown[] = [];
  const run = (_: unknown, context: ToolContext) => context.keep(7).then(kept.resolve).then(forever);
  const { task, core } = await crashed(
    tracked({ run, reattach: undefined }).tool,
    kept.promise,
    tracked({
      reattach: undefined,
      reconcile: async (_, context) => {
        seen.push(context.kept);
        throw new Error("no answer");
      },
      run: (_, context) => `ran with ${context.kept as number}`,
    }).tool,
  );
  const [prompt] = (await task.settled()).prompts;
  await core.approvals.decide(prompt!.promptId, { decision: "approve" });
  await task.settled();
  expect(answerText(task)).toBe("ran with 7");
  expect(seen).toEqual([7]);
});

test("a call without a note is reconciled, never reattached", async () => {
  const begun = Promise.withResolvers<void>();
  const first = tracked({
    run: () => {
      begun.resolve();
      return forever();
    },
  });
  const second = tracked({});
  const { task } = await crashed(first.tool, begun.promise, second.tool);
  await task.settled();
  expect(second.asked).toEqual(["reconcile"]);
});

test("keeps what is JSON and at most 64 KiB, and while the call runs only; `kept` follows", async () => {
  const refusals: unknown[] = [];
  const seen: unknown[] = [];
  let escaped: ToolContext | undefined;
  const refused = (kept: Promise<void>) =>
    kept.catch((error: unknown) => void refusals.push((error as { code?: string }).code));
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const { tool } = tracked({
    approval: async (_, context) => {
      await refused(context.keep(1));
      return undefined;
    },
    run: async (_, context) => {
      escaped = context;
      for (const note of [undefined, cyclic, 1n, "x".repeat(65_535), "€".repeat(21_845)]) {
        await refused(context.keep(note));
      }
      seen.push(context.kept);
      await context.keep("x".repeat(65_534));
      seen.push(String(context.kept).length);
      await context.keep({ n: 1 });
      seen.push(context.kept);
      return "done";
    },
  });
  const core = await bench.start({ model: caller([call("dig")]), tools: [tool] });
  const task = await core.tasks.start({ text: "dig" });
  await task.settled();
  await refused(escaped!.keep("late"));
  const [json, large, idle] = ["tool.note-not-json", "tool.note-too-large", "tool.note-not-running"];
  expect(refusals).toEqual([idle, json, json, json, large, large, idle]);
  expect(seen).toEqual([undefined, 65_534, { n: 1 }]);
  expect(await notesOf(core, task.id)).toEqual([[null]]);
});

test("a note of a call that ended unknown stays, for the tool that is asked about it later", async () => {
  const notes: unknown[] = [];
  const { tool } = tracked({
    reconcilesAborted: true,
    reconcile: async (_, { kept }) => {
      notes.push(kept);
      throw new Error("no answer");
    },
    run: async (_, context) => {
      await context.keep("job 9");
      throw new OutcomeUnknownError("the line is dead");
    },
  });
  const core = await bench.start({ model: caller([call("dig")]), tools: [tool] });
  const first = await core.tasks.start({ context: "c", text: "dig" });
  await first.settled();
  expect(await callsOf(core, first.id)).toMatchObject([{ outcome: "unknown" }]);
  expect(await notesOf(core, first.id)).toEqual([['"job 9"']]);
  const second = await core.tasks.start({ context: "c", text: "dig" });
  expect(await second.settled()).toMatchObject({ state: "parked" });
  expect(notes).toEqual(["job 9", "job 9"]);
});

test("a note that is durable only after its call has ended is not kept in memory", async () => {
  const batch = newBatch([]);
  batch.openCalls.set("c1", { id: "c1", name: "dig", repeatable: false, startedAt: 0, args: "{}", digest: "" });
  const stored = Promise.withResolvers<void>();
  const kept = noteKeeper(batch, "c1", () => stored.promise)("late");
  batch.openCalls.delete("c1");
  stored.resolve();
  await kept;
  expect(batch.notes.size).toBe(0);
});
