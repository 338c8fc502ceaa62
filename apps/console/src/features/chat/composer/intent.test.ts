import { expect, test } from "vitest";
import type { WaitingPrompt } from "../../../prompts/index.ts";
import { intentOf, type Situation } from "./intent.ts";

const prompt = (id: string, kind: "question" | "form" | "approval", minute: number): WaitingPrompt =>
  ({ id, payload: { kind }, created_at: new Date(minute * 60_000).toISOString() }) as WaitingPrompt;
const idle: Situation = { prompts: [], running: false, declinesToAnswer: false };
const text = { text: "Monday", files: [] };

test("a text is sent where nothing runs or waits, and steers what runs", () => {
  expect(intentOf(idle, text)).toEqual({ kind: "send" });
  expect(intentOf({ ...idle, running: true }, text)).toEqual({ kind: "steer" });
});

test("a text answers the question or form that has waited longest, also while another turn runs", () => {
  const prompts = [prompt("late", "question", 5), prompt("early", "form", 2), prompt("mid", "question", 3)];
  const answer = { kind: "answer", prompt: prompts[1], others: 2 };
  expect(intentOf({ ...idle, prompts }, text)).toEqual(answer);
  expect(intentOf({ ...idle, prompts, running: true }, text)).toEqual(answer);
});

test("of questions that began to wait at the same moment, the one that was asked first is answered first", () => {
  const prompts = [prompt("first", "question", 1), prompt("second", "question", 1)];
  expect(intentOf({ ...idle, prompts }, text)).toMatchObject({ prompt: { id: "first" }, others: 1 });
});

test("an approval is never answered by a text: beside one it is sent", () => {
  expect(intentOf({ ...idle, prompts: [prompt("a", "approval", 1)] }, text)).toEqual({ kind: "send" });
});

test("a person may choose not to answer", () => {
  const prompts = [prompt("q", "question", 1)];
  expect(intentOf({ ...idle, prompts, declinesToAnswer: true }, text)).toEqual({ kind: "send" });
});

test("files and commands start a turn, whatever waits or runs", () => {
  const busy = { ...idle, prompts: [prompt("q", "question", 1)], running: true };
  expect(intentOf(busy, { text: "see this", files: [{}] })).toEqual({ kind: "send" });
  expect(intentOf(busy, { text: "/tools", files: [] })).toEqual({ kind: "send" });
});
