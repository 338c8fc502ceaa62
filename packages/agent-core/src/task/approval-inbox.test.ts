import { type AnyTool, park } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { answerText, call, caller, callsOf, coreBench, countedTool, textInput } from "../core-bench.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { DecisionError, PromptDecision } from "./approval-inbox.ts";

const bench = coreBench();
afterEach(() => bench.end());
afterAll(() => bench.remove());

/** A tool that asks first, about texts of at most ten characters. */
function mail(more: Partial<AnyTool> = {}) {
  const sent: string[] = [];
  const { tool } = countedTool("send_mail", {
    input: v.object({ to: v.pipe(v.string(), v.maxLength(10)) }) as AnyTool["input"],
    approval: ({ to }: { to: string }) => ({ title: `Mail ${to}?`, detail: "It cannot be taken back." }),
    run: ({ to }: { to: string }) => {
      sent.push(to);
      return `sent to ${to}`;
    },
    ...more,
  });
  return { tool, sent };
}

async function started(tools: readonly AnyTool[], ...calls: ReturnType<typeof call>[]) {
  const core = await bench.start({ model: caller(calls), tools });
  const ask = async (callerClass = "operator", context = crypto.randomUUID()) => {
    const task = await core.service.start({ class: callerClass, context, origin: "a2a", input: textInput("go") });
    await task.settled();
    return task;
  };
  const waiting = () => core.approvals.list(50);
  const refusal = (id: string, decision: PromptDecision) =>
    core.approvals.decide(id, decision).catch((error: unknown) => (error as DecisionError).code);
  return { core, ask, waiting, refusal };
}

test("lists what waits in every task, newest first in pages, and no more once it is decided or its task ends", async () => {
  const { core, ask, waiting } = await started(
    [mail().tool, countedTool("asks", { run: () => park.question("Which city?") }).tool],
    call("send_mail", { to: "ada" }),
    call("asks"),
  );
  const mine = await ask();
  const theirs = await ask("federation");
  expect(await core.approvals.count()).toBe(4);
  const all = await waiting();
  expect(all.map(({ task, class: caller }) => [task, caller])).toEqual(
    expect.arrayContaining([
      [mine.id, "operator"],
      [theirs.id, "federation"],
    ]),
  );
  const [first] = await core.approvals.list(1);
  const rest = await core.approvals.list(50, { at: first!.createdAt, id: first!.id });
  expect([first, ...rest]).toEqual(all);
  const question = all.find(({ task, payload }) => task === theirs.id && payload.kind === "question");
  await core.approvals.decide(question!.id, { decision: "answer", answer: "Rome" });
  await core.service.cancel(mine.id);
  expect(await waiting()).toMatchObject([{ task: theirs.id, payload: { kind: "approval", tool: "send_mail" } }]);
});

test("an approval runs the call once, a second decision is stale, an unknown one undefined", async () => {
  const { tool, sent } = mail();
  const { core, ask, waiting, refusal } = await started([tool], call("send_mail", { to: "ada" }));
  const task = await ask();
  const [prompt] = await waiting();
  const both = await Promise.all([1, 2].map(() => refusal(prompt!.id, { decision: "approve", note: "be polite" })));
  expect(both.filter((one) => one === "stale")).toHaveLength(1);
  await task.settled();
  expect(sent).toEqual(["ada"]);
  expect(answerText(task)).toBe("The person who approved it says: be polite\nsent to ada");
  expect(await refusal(prompt!.id, { decision: "decline" })).toBe("stale");
  expect(await core.approvals.decide("prompt_never", { decision: "approve" })).toBeUndefined();
});

test("declines with a note for the model", async () => {
  const { tool, sent } = mail();
  const { core, ask, waiting } = await started([tool], call("send_mail", { to: "ada" }));
  const task = await ask();
  const [prompt] = await waiting();
  await core.approvals.decide(prompt!.id, { decision: "decline", note: "not her" });
  await task.settled();
  expect(sent).toEqual([]);
  expect(answerText(task)).toMatch(/^A person declined this call\..*\nThey say: not her$/);
});

test("a refused decision names what is accepted", async () => {
  const { core, ask, waiting } = await started(
    [mail().tool, countedTool("asks", { run: () => park.question("Which city?") }).tool],
    call("send_mail", { to: "ada" }),
    call("asks"),
  );
  await ask();
  const prompts = await waiting();
  const idOf = (kind: string) => prompts.find(({ payload }) => payload.kind === kind)!.id;
  const refusal = (kind: string, decision: PromptDecision) =>
    core.approvals.decide(idOf(kind), decision).catch((error: unknown) => (error as DecisionError).message);
  expect(await refusal("question", { decision: "approve" })).toMatch(/question.*"answer"/);
  expect(await refusal("question", { decision: "answer" })).toMatch(/answer is missing/);
  expect(await refusal("question", { decision: "answer", answer: "Rome", remember: true })).toMatch(
    /remember.*approval/,
  );
  expect(await refusal("approval", { decision: "answer", answer: "yes" })).toMatch(/"approve" or "decline"/);
  expect(await refusal("approval", { decision: "approve", answer: "yes" })).toMatch(/takes no answer.*note/);
  await core.approvals.decide(idOf("approval"), { decision: "approve" });
  expect(await refusal("approval", { decision: "approve" })).toMatch(/decided already/);
});

describe("edited arguments (O3)", () => {
  test("are validated, replace the model's, and the model is informed", async () => {
    const { tool, sent } = mail();
    const { core, ask, waiting, refusal } = await started([tool], call("send_mail", { to: "ada" }));
    const task = await ask();
    const [prompt] = await waiting();
    for (const args of [{ to: "x".repeat(300_000) }, { to: 7 }, { to: "somebody else" }, {}, { to: { to: "x" } }])
      expect(await refusal(prompt!.id, { decision: "approve", args })).toBe("unfit");
    expect((await waiting()).map(({ id }) => id)).toEqual([prompt!.id]);
    await core.approvals.decide(prompt!.id, { decision: "approve", args: { to: "bob" } });
    await task.settled();
    expect(sent).toEqual(["bob"]);
    expect(answerText(task)).toBe('A person changed the arguments of this call to {"to":"bob"}.\nsent to bob');
    const [row] = await core.db.read({ sql: "SELECT args FROM call WHERE task = ?", args: [task.id] });
    expect(row).toEqual(['{"to":"bob"}']);
  });

  test("stay with the call over a crash", async () => {
    const { tool, sent } = mail({ effect: "idempotent" });
    const store = bench.newStore();
    const options = { store, model: caller([call("send_mail", { to: "ada" })]), onRestart: "resume" as const };
    const hanging = { ...tool, run: () => new Promise<never>(() => {}) };
    const first = await bench.start({ ...options, tools: [hanging] });
    const task = await first.service.start({ class: "operator", origin: "a2a", input: textInput("go") });
    await task.settled();
    const [prompt] = await first.approvals.list(1);
    await first.approvals.decide(prompt!.id, { decision: "approve", args: { to: "bob" } });
    while ((await callsOf(first, task.id)).length === 0) await new Promise((resolve) => setImmediate(resolve));
    await bench.crash(first);
    const second = await bench.start({ ...options, tools: [tool] });
    await (await second.service.get(task.id))!.ended();
    expect(sent).toEqual(["bob"]);
  });

  test("of a call that has begun are refused", async () => {
    const { tool } = countedTool("inside", { run: () => park.approval({ title: "Go on?", detail: "" }) });
    const { ask, waiting, refusal } = await started([tool], call("inside"));
    await ask();
    const [prompt] = await waiting();
    expect(await refusal(prompt!.id, { decision: "approve", args: {} })).toBe("unfit");
    expect(await refusal(prompt!.id, { decision: "approve", remember: true })).toBe("unfit");
  });
});

test("a decision that does not fit what is asked changes nothing", async () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  const { ask, waiting, refusal, core } = await started(
    [mail().tool, countedTool("form", { run: () => park.form({ title: "How many?", steps: [{ schema }] }) }).tool],
    call("send_mail", { to: "ada" }),
    call("form"),
  );
  const task = await ask();
  const prompts = await waiting();
  const idOf = (kind: string) => prompts.find(({ payload }) => payload.kind === kind)!.id;
  const { seq } = task.view;
  const cases: [string, PromptDecision][] = [
    ["approval", { decision: "answer", answer: "yes" }],
    ["approval", { decision: "approve", answer: "yes" }],
    ["approval", { decision: "decline", remember: true }],
    ["approval", { decision: "decline", args: {} }],
    ["form", { decision: "approve" }],
    ["form", { decision: "decline", answer: { n: 3 } }],
    ["form", { decision: "decline", remember: true }],
    ["form", { decision: "answer" }],
    ["form", { decision: "answer", answer: { n: "three" } }],
    ["form", { decision: "answer", answer: { n: 3 }, args: {} }],
  ];
  for (const [kind, decision] of cases) expect(await refusal(idOf(kind), decision)).toBe("unfit");
  expect(task.view.seq).toBe(seq);
  await core.approvals.decide(idOf("form"), { decision: "answer", answer: { n: 3 } });
  await core.approvals.decide(idOf("approval"), { decision: "approve" });
  await task.settled();
  expect(answerText(task)).toBe('sent to ada | {"n":3}');
});

test("a form may be declined, and the model reads so with the note (A13)", async () => {
  const form = countedTool("form", { run: () => park.form({ title: "How many?", steps: [{ schema: {} }] }) });
  const { ask, waiting, core } = await started([form.tool], call("form"));
  const task = await ask();
  const [prompt] = await waiting();
  await core.approvals.decide(prompt!.id, { decision: "decline", note: "later" });
  await task.settled();
  expect(answerText(task)).toBe("declined\nThey say: later");
});

describe("a remembered approval", () => {
  test("holds for the same tool and arguments, in tasks of its class, over a restart, until it is revoked", async () => {
    const { tool, sent } = mail();
    const store = bench.newStore();
    const model = scriptedModel(({ messages }) => {
      const last = messages.at(-1);
      return last?.role === "user" && last.content[0]?.kind === "text"
        ? [call("send_mail", { to: last.content[0].text })]
        : "done";
    });
    let core = await bench.start({ store, model, tools: [tool] });
    const ask = async (to: string, callerClass = "operator") => {
      const task = await core.service.start({ class: callerClass, origin: "a2a", input: textInput(to) });
      return (await task.settled()).state;
    };
    await ask("ada");
    const [prompt] = await core.approvals.list(1);
    await core.approvals.decide(prompt!.id, { decision: "approve", args: { to: "bob" }, remember: true });
    await (await core.service.get(prompt!.task))!.settled();
    expect(await ask("bob")).toBe("completed");
    expect(await ask("ada")).toBe("parked");
    expect(await ask("bob", "federation")).toBe("parked");
    await bench.crash(core);
    core = await bench.start({ store, model, tools: [tool] });
    expect(await ask("bob")).toBe("completed");
    expect(sent).toEqual(["bob", "bob", "bob"]);
    const [grant, ...others] = await core.approvals.grants(50);
    expect(others).toEqual([]);
    expect(grant).toMatchObject({ class: "operator", tool: "send_mail", args: '{"to":"bob"}' });
    expect(await core.approvals.revoke(grant!.id)).toBe(true);
    expect(await core.approvals.revoke(grant!.id)).toBe(false);
    expect(await ask("bob")).toBe("parked");
  });

  test("is refused where the tool wants to be asked every time, and holds for no such call", async () => {
    const { tool } = mail({ approval: () => ({ title: "Mail?", detail: "", always: true }) });
    const { ask, waiting, refusal } = await started([tool], call("send_mail", { to: "ada" }));
    await ask();
    const [prompt] = await waiting();
    expect(await refusal(prompt!.id, { decision: "approve", remember: true })).toBe("unfit");
  });
});

test("refuses to approve what settings forbid by now", async () => {
  const { tool } = mail();
  let disallowed: readonly string[] = [];
  let settings = { disallowed, rateLimits: {}, requireApproval: [] };
  const core = await bench.start({
    model: caller([call("send_mail", { to: "ada" })]),
    tools: [tool],
    enforcement: () => settings,
  });
  await (await core.service.start({ class: "operator", origin: "a2a", input: textInput("go") })).settled();
  const [prompt] = await core.approvals.list(1);
  disallowed = ["send_mail"];
  settings = { ...settings, disallowed };
  await expect(core.approvals.decide(prompt!.id, { decision: "approve" })).rejects.toMatchObject({ code: "blocked" });
  expect(await core.approvals.count()).toBe(1);
});

test("publishes approvals that were requested, answered and withdrawn (O7)", async () => {
  const calls = [call("send_mail", { to: "ada" }), call("send_mail", { to: "bob" })];
  const { core, ask, waiting } = await started([mail().tool], ...calls);
  const published: string[] = [];
  const reader = core.bus.follow(core.bus.cursor, new AbortController().signal);
  const first = await ask();
  const prompts = await waiting();
  await core.approvals.decide(prompts[0]!.id, { decision: "decline" });
  await core.service.cancel(first.id);
  for await (const page of reader) {
    for (const { topic } of page) if (topic.startsWith("approval.")) published.push(topic);
    if (published.length === 4) break;
  }
  expect(published).toEqual(["approval.requested", "approval.requested", "approval.answered", "approval.withdrawn"]);
});
