import type { AnyTool, InnerCalls, ToolContext } from "@agent-service/plugin-sdk";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, call, caller, callsOf, coreBench, countedTool, eventsOfKind, holdCommit } from "../core-bench.ts";
import type { AgentCore } from "../create-agent-core.ts";
import { DEFAULT_RETENTION, removeExpired } from "../journal/index.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

const hang = () => new Promise<never>(() => {});

/** What a run of the test's script does with the tools; it ends where a call waits for a person. */
type Script = (call: (name: string, args?: object) => Promise<string>, calls: InnerCalls) => Promise<string>;

class Waits extends Error {
  override readonly name = "Waits";
  readonly code = "waits";
}

/** A tool that makes the calls of `script`; a failed one reads `!` and its text. */
function scriptTool(script: Script, more: Partial<AnyTool> = {}) {
  return countedTool("script", {
    effect: "idempotent",
    callsTools: true,
    run: async (_input: unknown, { calls }: ToolContext) => {
      const make = async (name: string, args: object = {}): Promise<string> => {
        const outcome = await calls!.call(name, JSON.stringify(args));
        if (outcome.kind === "waits") throw new Waits();
        return outcome.ok ? outcome.text : `!${outcome.text}`;
      };
      return script(make, calls!);
    },
    ...more,
  });
}

const model = () => caller([call("script")]);
const asking = { approval: () => ({ title: "May I?", detail: "It cannot be taken back." }) };

/** Starts a task whose model calls the script once. */
async function started(script: Script, tools: readonly AnyTool[], more: object = {}) {
  const own = scriptTool(script);
  const core = await bench.start({ model: model(), tools: [own.tool, ...tools], ...more });
  const task = await core.tasks.start({ text: "go" });
  await task.settled();
  return { core, task, runs: own.runs };
}

const parentsOf = async (core: AgentCore, task: string) => {
  const sql = "SELECT name, parent IS NOT NULL, outcome FROM call WHERE task = ? ORDER BY parent IS NOT NULL, name";
  return core.db.read({ sql, args: [task] });
};

describe("calls made inside a call (SC1)", () => {
  test("mark the conversation with what they return, before the next one is made (K8)", async () => {
    const seen: boolean[] = [];
    const page = countedTool("page", { effect: "pure", content: "outside" });
    const look = countedTool("look", {
      ...{ effect: "pure", content: "own" },
      async run(_: unknown, { caller: { tainted } }: ToolContext) {
        seen.push(tainted);
        return "looked";
      },
    });
    const script: Script = async (make) => [await make("look"), await make("page"), await make("look")].join();
    await started(script, [page.tool, look.tool]);
    expect(seen).toEqual([false, true]);
  });

  test("are rows and events of their own under it, and the model reads the calling one alone (SC4)", async () => {
    const seen = scriptedModel([[call("script")], "done"]);
    const look = countedTool("look", { effect: "pure", run: () => ({ n: 1 }) });
    const work = countedTool("work");
    const { core, task } = await started(
      async (make) => `${await make("look")} and ${await make("work", { a: 1 })}`,
      [look.tool, work.tool],
      { model: seen },
    );
    const rows = await parentsOf(core, task.id);
    expect(rows).toEqual([
      ["script", 0, "ok"],
      ["look", 1, "ok"],
      ["work", 1, "ok"],
    ]);
    const shown = seen.calls.at(-1)!.request.messages;
    expect(shown.slice(1)).toMatchObject([
      { role: "assistant", toolCalls: [{ name: "script" }] },
      { role: "tool", name: "script", text: '{"n":1} and work done' },
    ]);
    const outer = (await callsOf(core, task.id)).find(({ name }) => name === "script")!.call;
    const begun = await eventsOfKind(core, task.id, "tool.started");
    expect(begun.map(({ name, parentCall }) => [name, parentCall])).toEqual([
      ["script", undefined],
      ["look", outer],
      ["work", outer],
    ]);
    const ended = await eventsOfKind(core, task.id, "tool.finished");
    expect(ended.map(({ name, parentCall }) => [name, parentCall])).toEqual([
      ["look", outer],
      ["work", outer],
      ["script", undefined],
    ]);
    const next = await core.tasks.start({ context: task.view.context, text: "and now?" });
    await next.settled();
    expect(JSON.stringify(seen.calls.at(-1)!.request.messages)).not.toContain('"look"');
  });

  test("reach the tools of the turn, but none that calls tools or ends the turn", async () => {
    const { task } = await started(
      async (make, { names }) =>
        [names.join(","), await make("script"), await make("nope"), await make("last")].join("\n"),
      [countedTool("look").tool, countedTool("last", { endsTurn: true }).tool],
    );
    expect(answerText(task)).toBe(
      [
        "look",
        '!Error: there is no tool named "script" here.',
        '!Error: there is no tool named "nope" here.',
        '!Error: there is no tool named "last" here.',
      ].join("\n"),
    );
  });

  test("are not offered to a tool with an effect of its own, which could not run again", async () => {
    const { tool } = countedTool("script", { callsTools: true, run: (_, { calls }) => typeof calls });
    const core = await bench.start({ model: model(), tools: [tool] });
    const task = await core.tasks.start({ text: "go" });
    await task.settled();
    expect(answerText(task)).toBe("undefined");
  });

  test("are checked as any call: arguments, settings, errors; 8 run at once and 500 may be made", async () => {
    let running = 0;
    let most = 0;
    const slow = countedTool("slow", {
      effect: "pure",
      run: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return "";
      },
    });
    const bad = countedTool("bad", {
      run: () => {
        throw new Error("broken");
      },
    });
    const enforcement = () => ({ disallowed: ["never"], rateLimits: {}, requireApproval: [] });
    const { core, task } = await started(
      async (make, { call: raw }) => {
        const first = [await make("never"), await make("bad"), await raw("bad", "no JSON")];
        const many = await Promise.all(Array.from({ length: 498 }, (_, n) => make("slow", { n })));
        return JSON.stringify([first, many.filter((text) => text !== "")]);
      },
      [slow.tool, bad.tool, countedTool("never").tool],
      { enforcement },
    );
    expect(answerText(task)).toContain("Blocked by policy: never is not allowed here");
    expect(answerText(task)).toContain("Error: broken");
    expect(answerText(task)).toContain("Invalid arguments for bad");
    expect(answerText(task)).toContain('["!Error: at most 500 calls can be made here."]');
    expect(most).toBe(8);
    const outcomes = (await parentsOf(core, task.id)).map(([name, , outcome]) => `${name} ${outcome}`);
    expect(new Set(outcomes)).toEqual(new Set(["script ok", "never denied", "bad error", "slow ok"]));
    expect(outcomes).toHaveLength(501);
  });
});

describe("a call inside that a person is asked about (SC3)", () => {
  test("waits under its own tool and arguments; approved, the run starts again over recorded outcomes", async () => {
    const work = countedTool("work");
    const mail = countedTool("mail", { ...asking, run: () => "sent" });
    const { core, task, runs } = await started(
      async (make) =>
        `${await make("work", { n: 1 })}, ${await make("mail", { to: "ada" })}, ${await make("work", { n: 1 })}`,
      [work.tool, mail.tool],
    );
    const [outer] = await callsOf(core, task.id);
    expect(task.view).toMatchObject({
      state: "parked",
      prompts: [
        {
          tool: "mail",
          reason: "before",
          parentCall: expect.stringMatching(/^call_/),
          payload: { kind: "approval", tool: "mail", args: { to: "ada" }, grantable: true },
        },
      ],
    });
    expect(work.runs).toHaveLength(1);
    const [prompt] = await core.approvals.list(10);
    const edited = core.approvals.decide(prompt!.id, { decision: "approve", args: { to: "bob" } });
    await expect(edited).rejects.toMatchObject({ code: "unfit" });
    await core.approvals.decide(prompt!.id, { decision: "approve", note: "be polite", remember: true });
    await task.settled();
    expect(answerText(task)).toBe("The person who approved mail says: be polite\nwork done, sent, work done");
    expect([runs.length, work.runs.length, mail.runs.length]).toEqual([2, 2, 1]);
    expect(new Set(work.runs).size).toBe(2);
    expect(outer).toMatchObject({ name: expect.any(String) });
    const again = await core.tasks.start({ text: "go" });
    expect(await again.settled()).toMatchObject({ state: "completed" });
  });

  test("fails inside the run where it is declined, with the person's note", async () => {
    const mail = countedTool("mail", asking);
    const { core, task } = await started((make) => make("mail"), [mail.tool]);
    const [prompt] = await core.approvals.list(10);
    await core.approvals.decide(prompt!.id, { decision: "decline", note: "not today" });
    await task.settled();
    expect(answerText(task)).toMatch(/^!A person declined this call.*\nThey say: not today$/);
    expect(mail.runs).toEqual([]);
    expect(await parentsOf(core, task.id)).toEqual([
      ["script", 0, "ok"],
      ["mail", 1, "denied"],
    ]);
  });

  test("is asked together with the others that were begun, and calls without approval go on meanwhile", async () => {
    const gate = Promise.withResolvers<string>();
    const work = countedTool("work", { run: () => gate.promise });
    const mail = countedTool("mail", asking);
    const own = scriptTool(async (make) => {
      const made = [make("mail", { n: 1 }), make("work"), make("mail", { n: 2 })];
      made[0]!.catch(() => gate.resolve("worked"));
      return (await Promise.all(made)).join(", ");
    });
    const core = await bench.start({ model: model(), tools: [own.tool, work.tool, mail.tool] });
    const task = await core.tasks.start({ text: "go" });
    await task.settled();
    expect(task.view.prompts.map(({ payload }) => payload)).toMatchObject([{ args: { n: 1 } }, { args: { n: 2 } }]);
    for (const { promptId } of task.view.prompts) await core.approvals.decide(promptId, { decision: "approve" });
    await task.settled();
    expect(answerText(task)).toBe("mail done, worked, mail done");
    expect([work.runs.length, mail.runs.length]).toEqual([1, 2]);
  });

  test("survives a restart: nothing that has an outcome is made again (SC2)", async () => {
    const store = bench.newStore();
    const script: Script = async (make) =>
      `${await make("work")}, ${await make("mail")}, ${await make("mail", { second: 1 })}`;
    const parts = () => ({ own: scriptTool(script), work: countedTool("work"), mail: countedTool("mail", asking) });
    const a = parts();
    const options = { store, model: model(), onRestart: "resume" } as const;
    const core1 = await bench.start({ ...options, tools: [a.own.tool, a.work.tool, a.mail.tool] });
    const { id } = await core1.tasks.start({ text: "go" });
    await (await core1.tasks.get(id))!.settled();
    await core1.tasks.answer(id, { answer: "yes" });
    await (await core1.tasks.get(id))!.settled();
    await bench.crash(core1);
    const b = parts();
    const core2 = await bench.start({ ...options, tools: [b.own.tool, b.work.tool, b.mail.tool] });
    const task = (await core2.tasks.get(id))!;
    expect(task.view.prompts).toMatchObject([{ tool: "mail", payload: { args: { second: 1 } } }]);
    await core2.tasks.answer(id, { answer: "yes" });
    await task.settled();
    expect(answerText(task)).toBe("work done, mail done, mail done");
    expect([a.work.runs.length, a.mail.runs.length]).toEqual([1, 1]);
    expect([b.work.runs.length, b.mail.runs.length]).toEqual([0, 1]);
  });
});

describe("a process that dies inside the calling call", () => {
  async function dieAndGoOn(failpoint: string, nth: number, more: Partial<AnyTool>) {
    const store = bench.newStore();
    const held = holdCommit(failpoint, nth);
    const script: Script = async (make) => `${await make("work")}, ${await make("work")}`;
    const options = { store, model: model(), onRestart: "resume" } as const;
    const first = countedTool("work", more);
    const core1 = await bench.start({
      ...options,
      tools: [scriptTool(script).tool, first.tool],
      failpoints: held.failpoints,
    });
    const { id } = await core1.tasks.start({ text: "go" });
    await held.reached;
    await bench.crash(core1);
    const second = countedTool("work", more);
    const core2 = await bench.start({ ...options, tools: [scriptTool(script).tool, second.tool] });
    const task = (await core2.tasks.get(id))!;
    await task.settled();
    return { core: core2, task, first, second };
  }

  test("makes no call again that has an outcome (SC2)", async () => {
    const { task, first, second } = await dieAndGoOn("turn.inner-outcome:after", 1, {});
    expect(answerText(task)).toBe("work done, work done");
    expect([first.runs.length, second.runs.length]).toEqual([1, 1]);
    expect(second.runs).not.toEqual(first.runs);
  });

  test("asks a person about a call without outcome, and makes it under its one id if they approve (R3)", async () => {
    const { core, task, first, second } = await dieAndGoOn("turn.inner-outcome:before", 1, {});
    expect(task.view).toMatchObject({ state: "parked", prompts: [{ tool: "work", reason: "again" }] });
    expect(second.runs).toEqual([]);
    await core.tasks.answer(task.id, { answer: "yes" });
    await task.settled();
    expect(answerText(task)).toBe("work done, work done");
    expect(second.runs[0]).toBe(first.runs[0]);
    expect(await parentsOf(core, task.id)).toEqual([
      ["script", 0, "ok"],
      ["work", 1, "ok"],
      ["work", 1, "ok"],
    ]);
  });

  test("makes a call again that may be repeated, and asks the tool where it can tell", async () => {
    const pure = await dieAndGoOn("turn.inner-outcome:before", 1, { effect: "idempotent" });
    expect(answerText(pure.task)).toBe("work done, work done");
    expect(pure.second.runs[0]).toBe(pure.first.runs[0]);
    const asked = await dieAndGoOn("turn.inner-outcome:before", 1, { reconcile: async () => "it had worked" });
    expect(answerText(asked.task)).toBe("it had worked, work done");
  });
});

describe("the end of the task", () => {
  test("closes calls that run inside in the same commit (SC4)", async () => {
    const inside = Promise.withResolvers<void>();
    const work = countedTool("work", {
      run: () => {
        inside.resolve();
        return hang();
      },
    });
    const own = scriptTool(async (make) => `${await make("done")}${await make("work")}`);
    const core = await bench.start({ model: model(), tools: [own.tool, work.tool, countedTool("done").tool] });
    const task = await core.tasks.start({ text: "go" });
    await inside.promise;
    await core.tasks.cancel(task.id);
    expect(await parentsOf(core, task.id)).toEqual([
      ["script", 0, "aborted"],
      ["done", 1, "ok"],
      ["work", 1, "unknown"],
    ]);
  });

  test("closes those that wait, and those a crash left open", async () => {
    const { core, task } = await started((make) => make("mail"), [countedTool("mail", asking).tool]);
    await core.tasks.cancel(task.id);
    expect(await parentsOf(core, task.id)).toEqual([
      ["script", 0, "aborted"],
      ["mail", 1, "aborted"],
    ]);

    const store = bench.newStore();
    const inside = Promise.withResolvers<void>();
    const work = countedTool("work", {
      run: () => {
        inside.resolve();
        return hang();
      },
    });
    const own = scriptTool((make) => make("work"));
    const first = await bench.start({ store, model: model(), tools: [own.tool, work.tool] });
    const { id } = await first.tasks.start({ text: "go" });
    await inside.promise;
    await bench.crash(first);
    const second = await bench.start({ store, model: model(), tools: [own.tool, work.tool], onRestart: "fail" });
    expect(await parentsOf(second, id)).toEqual([
      ["script", 0, "aborted"],
      ["work", 1, "unknown"],
    ]);
  });

  test("after which details age, takes the calls inside with them but for those that may have happened (R14)", async () => {
    const { core, task } = await started(
      async (make) => `${await make("work")}${await make("slow")}`,
      [countedTool("work").tool, countedTool("slow", { timeoutMs: 1, run: hang }).tool],
    );
    await core.feed.idle();
    await core.tasks.start({ context: task.view.context, text: "go" }).then((next) => next.settled());
    await core.feed.idle();
    const keep = { ...DEFAULT_RETENTION, keepPerThread: 1 };
    await removeExpired({ db: core.db, now: Date.now() + 40 * 86_400_000, keep, removeSession: async () => {} });
    expect(await parentsOf(core, task.id)).toEqual([
      ["script", 0, "ok"],
      ["slow", 1, "unknown"],
    ]);
  });
});

test("what the script leaves running when it returns is ended, and recorded as what may have happened", async () => {
  const work = countedTool("work", { run: hang });
  const { core, task } = await started(
    async (make) => {
      void make("work").catch(() => {});
      return make("look");
    },
    [work.tool, countedTool("look").tool],
  );
  expect(answerText(task)).toBe("look done");
  expect(await parentsOf(core, task.id)).toEqual([
    ["script", 0, "ok"],
    ["look", 1, "ok"],
    ["work", 1, "unknown"],
  ]);
});
