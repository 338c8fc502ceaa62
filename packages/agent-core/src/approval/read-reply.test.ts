import { describe, expect, it } from "vitest";
import type { InputPart, PromptPayload } from "../event/index.ts";
import { readAnswer, replyOf } from "./index.ts";

function reply(...parts: InputPart[]) {
  return replyOf({ messageId: "m1", parts });
}

const question: PromptPayload = { kind: "question", question: "Which city?" };
const form: PromptPayload = {
  kind: "form",
  title: "Who?",
  description: "",
  steps: [{ schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } }],
};
const approval: PromptPayload = { kind: "approval", title: "Refund?", detail: "", tool: "refund", args: {} };

describe("replyOf (A13)", () => {
  it("takes text parts as the answer", () => {
    expect(reply({ kind: "text", text: "Oslo" }, { kind: "text", text: "or Bergen" })).toEqual({
      answer: "Oslo\nor Bergen",
    });
  });

  it("takes a data part {promptId, answer} before any text", () => {
    const data = { promptId: "p1", answer: { name: "Ann" }, note: "in a hurry" };
    expect(reply({ kind: "text", text: "see data" }, { kind: "data", data })).toEqual(data);
  });

  it("takes bare data for the answer itself", () => {
    expect(reply({ kind: "data", data: { name: "Ann" } })).toEqual({ answer: { name: "Ann" } });
    expect(reply({ kind: "data", data: { promptId: "p1", approved: true } })).toEqual({
      promptId: "p1",
      answer: { approved: true },
    });
    expect(reply({ kind: "data", data: true })).toEqual({ answer: true });
  });
});

describe("readAnswer (A13)", () => {
  it("gives a question its text, however it was sent", () => {
    const oslo = { ok: true, answer: { kind: "question", text: "Oslo" } };
    expect(readAnswer(question, { answer: "Oslo" })).toEqual(oslo);
    expect(readAnswer(question, { answer: { answer: "Oslo" } })).toEqual(oslo);
    expect(readAnswer(question, { answer: { lat: 59 } })).toMatchObject({ answer: { text: '{"lat":59}' } });
    expect(readAnswer(question, { answer: undefined })).toMatchObject({ answer: { text: "" } });
  });

  it("gives a form its values or the reason to ask again", () => {
    const values = { ok: true, answer: { kind: "form", values: { name: "Ann" } } };
    expect(readAnswer(form, { answer: { name: "Ann" } })).toEqual(values);
    expect(readAnswer(form, { answer: { answer: { name: "Ann" } } })).toEqual(values);
    expect(readAnswer(form, { answer: "Ann" })).toEqual(values);
    expect(readAnswer(form, { answer: {} })).toEqual({ ok: false, reason: "The field name is missing." });
  });

  it("takes {promptId, decline: true} for a form that is declined, with a note (A13)", () => {
    const data = (value: object) => readAnswer(form, reply({ kind: "data", data: value }));
    const declined = { kind: "form", declined: true };
    expect(data({ promptId: "p1", decline: true })).toEqual({ ok: true, answer: declined });
    expect(data({ promptId: "p1", decline: true, note: "not mine" })).toEqual({
      ok: true,
      answer: { ...declined, note: "not mine" },
    });
    for (const other of [
      { decline: true },
      { promptId: "p1", decline: "yes" },
      { promptId: "p1", decline: true, x: 1 },
    ])
      expect(data(other)).toEqual({ ok: false, reason: "The field name is missing." });
    const steps = [{ schema: { type: "object", properties: { decline: { type: "boolean" } } } }];
    expect(readAnswer({ ...form, steps }, { promptId: "p1", answer: { decline: true } })).toEqual({
      ok: true,
      answer: { kind: "form", values: { decline: true } },
    });
  });

  it("keeps a form's own field named answer", () => {
    const named: PromptPayload = { ...form, steps: [{ schema: { properties: { answer: { type: "string" } } } }] };
    expect(readAnswer(named, { answer: { answer: "42" } })).toMatchObject({ answer: { values: { answer: "42" } } });
  });

  it("gives an approval its decision and note, and declines what it does not understand", () => {
    expect(readAnswer(approval, { answer: "Yes." })).toEqual({
      ok: true,
      answer: { kind: "approval", approved: true },
    });
    expect(readAnswer(approval, { answer: true, note: "once" })).toEqual({
      ok: true,
      answer: { kind: "approval", approved: true, note: "once" },
    });
    expect(readAnswer(approval, { answer: { hmm: 1 } })).toMatchObject({ answer: { approved: false } });
  });
});
