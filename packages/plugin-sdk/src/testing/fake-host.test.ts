import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, OutcomeUnknownError, park } from "../tool/index.ts";
import { FakeHostError, fakeContext, fakeHost } from "./index.ts";

const done: string[] = [];
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: v.object({ amount: v.number(), to: v.optional(v.string(), "Ann") }),
  approval: ({ amount }) => (amount > 100 ? { title: "Pay?", detail: String(amount) } : undefined),
  reconcile: async ({ amount }, { callId }) => {
    if (amount === 13) throw new Error("bank is down");
    return done.includes(callId) ? "paid" : undefined;
  },
  async run({ amount, to }, { callId, log, now }) {
    if (amount < 0) throw new RangeError("no refunds here");
    if (amount === 50) return park.approval({ title: "Really?", detail: to });
    log.info(`paid ${amount} to ${to} at ${now().toISOString()}`);
    done.push(callId);
    return { paid: amount };
  },
  resume: (_, answer) => (answer.kind === "approval" && answer.approved ? "paid after all" : "not paid"),
});
const ask = defineTool({
  name: "ask",
  description: "Asks.",
  input: v.object({ form: v.optional(v.boolean(), false) }),
  run: ({ form }) => (form ? park.form({ title: "Who?", steps: [{ schema: {} }] }) : park.question("Which city?")),
});

describe("fakeHost", () => {
  it("validates, fills in defaults, runs and keeps the log", async () => {
    const host = fakeHost({ tools: [pay] });
    expect(await host.call("pay", { amount: 5 })).toEqual({ kind: "returned", callId: "call-1", output: { paid: 5 } });
    host.setTime(new Date("2027-01-01T00:00:00Z"));
    await host.call("pay", { amount: 6, to: "Bob" });
    expect(host.log.map(({ message }) => message)).toEqual([
      "paid 5 to Ann at 2026-01-01T00:00:00.000Z",
      "paid 6 to Bob at 2027-01-01T00:00:00.000Z",
    ]);
  });

  it("does not run a tool with arguments that do not fit", async () => {
    const host = fakeHost({ tools: [pay] });
    expect(await host.call("pay", { amount: "5" })).toEqual({
      kind: "invalid",
      callId: "call-1",
      message: expect.stringContaining("amount: "),
    });
    expect(host.log).toEqual([]);
  });

  it("turns a throw into an outcome", async () => {
    const outcome = await fakeHost({ tools: [pay] }).call("pay", { amount: -1 });
    expect(outcome).toMatchObject({ kind: "threw", error: expect.any(RangeError) });
  });

  it("asks for approval first and runs only when it is given, once", async () => {
    const host = fakeHost({ tools: [pay] });
    const asked = await host.call("pay", { amount: 500 });
    expect(asked).toEqual({ kind: "needs-approval", callId: "call-1", request: { title: "Pay?", detail: "500" } });
    expect(host.log).toEqual([]);
    expect(await host.approve("call-1")).toMatchObject({ kind: "returned", output: { paid: 500 } });
    await expect(host.approve("call-1")).rejects.toThrow(FakeHostError);
    await host.call("pay", { amount: 600 });
    expect(await host.decline("call-2")).toEqual({ kind: "denied", callId: "call-2" });
    expect(host.log).toHaveLength(1);
  });

  it.each([
    ["is allowed by the settings", { allowedBy: "git status" }, {}, "returned"],
    ["may be waived, in a turn that waived approvals", { bypassable: true }, { bypass: true }, "returned"],
    ["may be waived, in another turn", { bypassable: true }, {}, "needs-approval"],
    ["may not be waived", {}, { bypass: true }, "needs-approval"],
    ["is asked always", { allowedBy: "x", bypassable: true, always: true }, { bypass: true }, "needs-approval"],
  ] as const)("a request that %s", async (_, more, caller, kind) => {
    const approval = () => ({ title: "Run?", detail: "", ...more });
    const run = defineTool({ name: "run", description: "Runs.", input: v.object({}), approval, run: () => "ok" });
    expect(await fakeHost({ tools: [run] }).call("run", {}, { caller })).toMatchObject({ kind });
  });

  it("resumes a parked call with the answer", async () => {
    const host = fakeHost({ tools: [pay] });
    expect(await host.call("pay", { amount: 50 })).toMatchObject({ kind: "parked", request: { title: "Really?" } });
    expect(await host.answer("call-1", true)).toMatchObject({ kind: "returned", output: "paid after all" });
    await host.call("pay", { amount: 50 });
    expect(await host.answer("call-2", "yes")).toMatchObject({ output: "not paid" });
  });

  it("makes the answer the result of a tool that does not resume", async () => {
    const host = fakeHost({ tools: [ask] });
    await host.call("ask", {});
    expect(await host.answer("call-1", "Oslo")).toEqual({ kind: "returned", callId: "call-1", output: "Oslo" });
    await host.call("ask", { form: true });
    expect(await host.answer("call-2", { name: "Ann" })).toMatchObject({ output: { name: "Ann" } });
    await expect(host.answer("call-2", "again")).rejects.toMatchObject({ code: "fake-host.not-waiting" });
  });

  it("asks whether a call happened, under the same call id", async () => {
    const host = fakeHost({ tools: [pay, ask] });
    await host.call("pay", { amount: 7 }, { callId: "reconcile-me" });
    expect(await host.reconcile("reconcile-me")).toEqual({ kind: "happened", output: "paid" });
    await host.call("pay", { amount: 50 }, { callId: "parked" });
    expect(await host.reconcile("parked")).toEqual({ kind: "did-not-happen" });
    await host.call("pay", { amount: 13 }, { callId: "unsure" });
    expect(await host.reconcile("unsure")).toMatchObject({ kind: "unknown", error: expect.any(Error) });
    await host.call("ask", {}, { callId: "asked" });
    expect(await host.reconcile("asked")).toEqual({ kind: "unknown" });
  });

  it("hands on the signal it is given", async () => {
    const seen: AbortSignal[] = [];
    const watch = defineTool({
      name: "watch",
      description: "Watches.",
      input: v.object({}),
      run: (_, { signal }) => {
        seen.push(signal);
        return "ok";
      },
    });
    const { signal } = new AbortController();
    await fakeHost({ tools: [watch] }).call("watch", undefined, { signal });
    expect(seen).toEqual([signal]);
  });

  it("reports what a test got wrong", async () => {
    const host = fakeHost({ tools: [ask] });
    await expect(host.call("nope", {})).rejects.toMatchObject({ code: "fake-host.unknown-tool" });
    await expect(host.reconcile("nope")).rejects.toMatchObject({ code: "fake-host.unknown-call" });
  });

  it("parks again from resume, which reads what was answered before; a form may be declined", async () => {
    const book = defineTool({
      name: "book",
      description: "Books.",
      input: v.object({}),
      run: () => park.question("Where to?"),
      resume: (_, answer, { earlierAnswers: [city] }) => {
        if (city === undefined) return park.form({ title: "Who?", steps: [{ schema: {} }] });
        return answer.kind === "form" && answer.declined === true ? "nobody" : [city, answer];
      },
    });
    const host = fakeHost({ tools: [book, ask] });
    await host.call("book", {});
    expect(await host.answer("call-1", "Oslo")).toMatchObject({ kind: "parked", request: { kind: "form" } });
    expect(await host.answer("call-1", { name: "Ann" })).toMatchObject({
      output: [
        { kind: "question", text: "Oslo" },
        { kind: "form", values: { name: "Ann" } },
      ],
    });
    await host.call("book", {});
    await host.answer("call-2", "Oslo");
    expect(await host.answer("call-2", false)).toMatchObject({ output: "nobody" });
    await host.call("ask", { form: true });
    expect(await host.answer("call-3", false)).toMatchObject({ output: "declined" });
  });

  it("has a tool only in the turns it is for", async () => {
    const mine = { ...ask, availableTo: ["lead", "subagents"] } as const;
    const host = fakeHost({ tools: [mine] });
    const federation = { caller: { class: "federation" } };
    expect(await host.call("ask", {})).toMatchObject({ kind: "parked" });
    expect(await host.call("ask", {}, { subagent: true })).toMatchObject({ kind: "parked" });
    expect(await host.call("ask", {}, federation)).toEqual({ kind: "unavailable", callId: "call-3" });
    expect(await host.call("ask", {}, { ...federation, subagent: true })).toMatchObject({ kind: "unavailable" });
  });

  it("takes a lost connection for an unknown outcome, and for an error where calling again is safe", async () => {
    const lost = (effect: "effect" | "pure") =>
      defineTool({
        name: effect,
        description: "Loses the line.",
        input: v.object({}),
        effect,
        run: () => Promise.reject(new OutcomeUnknownError("the line is dead")),
      });
    const host = fakeHost({ tools: [lost("effect"), lost("pure")] });
    expect(await host.call("effect", {})).toMatchObject({ kind: "unknown", error: { code: "tool.outcome-unknown" } });
    expect(await host.call("pure", {})).toMatchObject({ kind: "threw" });
  });

  it("keeps a note with the call, and continues from it as after a crash", async () => {
    const dig = defineTool({
      name: "dig",
      description: "Digs elsewhere.",
      input: v.object({ depth: v.number() }),
      present: { doing: "Digging {depth} m", done: "Dug {depth} m[: {result}]" },
      preview: ({ depth }) => ({ kind: "hole", depth }),
      reattach: (_, { kept }) => `found ${JSON.stringify(kept)}`,
      async run({ depth }, context) {
        context.progress("asking for a digger");
        if (depth > 5) await context.keep({ job: depth });
        throw new Error("the process died here");
      },
    });
    const host = fakeHost({ tools: [dig] });
    await host.call("dig", { depth: 9 });
    expect(await host.reattach("call-1")).toEqual({ kind: "returned", callId: "call-1", output: 'found {"job":9}' });
    expect(await host.preview("call-1")).toEqual({ kind: "hole", depth: 9 });
    expect(host.presented("call-1", "done", "gold")).toBe("Dug 9 m: gold");
    expect(host.progress).toEqual(["asking for a digger"]);
    await host.call("dig", { depth: 1 });
    await expect(host.reattach("call-2")).rejects.toMatchObject({ code: "fake-host.not-waiting" });
  });

  it("keeps a note over a park, while the call runs only, and nothing too large or not JSON", async () => {
    const codes: unknown[] = [];
    const refused = (kept: Promise<void>) =>
      kept.catch((error: unknown) => codes.push((error as { code: string }).code));
    const book = defineTool({
      name: "book",
      description: "Books.",
      input: v.object({}),
      async preview(_, context) {
        await refused(context.keep(1));
        return undefined;
      },
      async run(_, context) {
        await refused(context.keep("x".repeat(65_535)));
        await refused(context.keep(undefined));
        await context.keep({ seat: 4 });
        return park.question("Whose?");
      },
      resume: (_, __, { kept }) => [kept],
    });
    const host = fakeHost({ tools: [book] });
    await host.call("book", {});
    await host.preview("call-1");
    expect(codes).toEqual(["tool.note-too-large", "tool.note-not-json", "tool.note-not-running"]);
    expect(await host.answer("call-1", "Ann")).toMatchObject({ output: [{ seat: 4 }] });
    await expect(host.reattach("call-1")).rejects.toMatchObject({ code: "fake-host.not-waiting" });
  });
});

it("fakeContext is a context whose parts a test sets", () => {
  const context = fakeContext({ callId: "mine", caller: { class: "federation" } });
  expect(context).toMatchObject({ callId: "mine", caller: { class: "federation", bypass: false } });
  expect(context.kept).toBeUndefined();
  expect(context.signal.aborted).toBe(false);
});
