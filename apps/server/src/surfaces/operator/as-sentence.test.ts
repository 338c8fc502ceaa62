import { TaskError } from "@agent-service/agent-core/host";
import { expect, it } from "vitest";
import { asSentence } from "./as-sentence.ts";
import { refusalOf } from "./refusal-of.ts";

it("makes a sentence of what the engine refuses with, and leaves names and sentences as they are", () => {
  expect(asSentence("there is no task t1")).toBe("There is no task t1.");
  expect(asSentence("sk-1: not a key")).toBe("sk-1: not a key.");
  expect(asSentence("There is no such run.")).toBe("There is no such run.");
  expect(refusalOf(new TaskError("prompt_gone", "the prompt is no longer pending"))?.detail).toBe(
    "The prompt is no longer pending.",
  );
});
