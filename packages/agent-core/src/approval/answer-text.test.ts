import { expect, test } from "vitest";
import type { PromptPayload } from "../event/index.ts";
import { answerText } from "./answer-text.ts";

const data = (value: unknown) => ({ messageId: "m", parts: [{ kind: "data" as const, data: value }] });
const text = (value: string) => ({ messageId: "m", parts: [{ kind: "text" as const, text: value }] });
const form: PromptPayload = {
  kind: "form",
  title: "Trip",
  description: "",
  steps: [
    { schema: { type: "object", properties: { city: { type: "string", title: "City" }, days: { type: "integer" } } } },
    {
      schema: { type: "object", properties: { stops: { type: "array", title: "Stops" }, train: { type: "boolean" } } },
    },
  ],
};
const approval: PromptPayload = { kind: "approval", title: "Run it?", detail: "", tool: "run", args: {} };

test("a form's answer is a line for each value, under the field's title", () => {
  const values = { city: "Rome", days: 3, stops: ["Ostia", "Tivoli"], train: true, note: null };
  expect(answerText(form, data({ promptId: "p", answer: values }))).toBe(
    "City: Rome\ndays: 3\nStops: Ostia, Tivoli\ntrain: yes\nnote: –",
  );
  expect(answerText(form, data({ promptId: "p", decline: true, note: "not now" }))).toBe("Declined\nnot now");
});

test("a decision is a word with its note, and a text stays what the person wrote", () => {
  expect(answerText(approval, data({ promptId: "p", answer: true }))).toBe("Approved");
  expect(answerText(approval, data({ promptId: "p", answer: false, note: "too much" }))).toBe("Declined\ntoo much");
  expect(answerText(approval, text("yes, go on"))).toBe("yes, go on");
  expect(answerText({ kind: "question", question: "Which day?" }, data({ promptId: "p", answer: "Monday" }))).toBe(
    "Monday",
  );
});

test("an answer whose prompt is not known any more is readable too", () => {
  expect(answerText(undefined, data({ promptId: "p", answer: { day: 1 } }))).toBe("day: 1");
  expect(answerText(undefined, data({ promptId: "p", answer: true }))).toBe("Approved");
});
