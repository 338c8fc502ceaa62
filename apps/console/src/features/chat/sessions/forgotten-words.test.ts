import { expect, test } from "vitest";
import { endedWords, forgottenWords, keptWords } from "./forgotten-words.ts";

test("what goes with a conversation is counted, and what is none is not named", () => {
  const counts = { chunks: 2, frames: 1, summaries: 1, sources: 0, attachments: 3 };
  expect(forgottenWords(counts)).toBe(
    "2 memories, 1 summary, 3 attached documents, 1 place in conversations that were shown it",
  );
  expect(forgottenWords({ chunks: 0, frames: 0, summaries: 0, sources: 0, attachments: 0 })).toBeUndefined();
  expect(forgottenWords(undefined)).toBeUndefined();
});

test("what works for a conversation and ends with it is named", () => {
  expect(endedWords({ goals: 1, watches: 2, schedules: 1 })).toBe(
    "Deleting it also removes its goal, 2 watches, 1 schedule; clearing it keeps them.",
  );
  expect(endedWords({ goals: 0, watches: 1, schedules: 0 })).toBe(
    "Deleting it also removes 1 watch; clearing it keeps them.",
  );
  expect(endedWords({ goals: 0, watches: 0, schedules: 0 })).toBeUndefined();
});

test("what stays is named, and nothing said where nothing does", () => {
  expect(keptWords({ skills: ["ferns"], facts: 2 })).toBe(
    "The chat is deleted. Of it stay: 2 memories and the skill ferns.",
  );
  expect(keptWords({ skills: ["a", "b"], facts: null })).toBe("The chat is deleted. Of it stay: the skills a, b.");
  expect(keptWords({ skills: [], facts: 0 })).toBeUndefined();
});
