import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, park } from "../tool/index.ts";
import { FakeHostError, fakeHost } from "./index.ts";

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
    expect(await host.reconcile("unsure")).toMatchObject({ kind: "cannot-tell", error: expect.any(Error) });
    await host.call("ask", {}, { callId: "asked" });
    expect(await host.reconcile("asked")).toEqual({ kind: "cannot-tell" });
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

  it("says what a test got wrong", async () => {
    const host = fakeHost({ tools: [ask] });
    await expect(host.call("nope", {})).rejects.toMatchObject({ code: "fake-host.unknown-tool" });
    await expect(host.reconcile("nope")).rejects.toMatchObject({ code: "fake-host.unknown-call" });
  });
});
