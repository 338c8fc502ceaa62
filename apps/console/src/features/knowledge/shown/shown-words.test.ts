import { expect, test } from "vitest";
import type { Injection } from "../memory-types.ts";
import { leftOutWords, shownFacts, shownTitle } from "./shown-words.ts";

const hit: Injection["items"][number] = {
  ...{ chunk_id: 1, revision: 1, kind: "hit", trust: "agent", score: 0.1 },
  ...{ keyword_rank: 1, vector_rank: null, words: 2 },
};

test("a memory is not shown because it says too little of the message", () => {
  expect(leftOutWords("floor")).toBe("it has too little of the message");
});

test("a model call says how much it was shown, and how that was found", () => {
  const nothing = { items: [], digest_session_ids: [], in_sight: [] };
  expect(shownTitle({ ...nothing, items: [hit], digest_session_ids: ["a", "b"] })).toBe(
    "Shown 1 memory and 2 earlier conversations",
  );
  expect(shownTitle({ ...nothing, in_sight: [{ chunk_id: 1, revision: 1 }] })).toBe("Nothing new; 1 memory in sight");
  expect(shownTitle(nothing)).toBe("Shown nothing");
  expect(shownFacts({ mode: "keyword", degraded: true, late: false, approx_tokens: 40, ms: 3.4 })).toBe(
    "found by words · by meaning it was not possible · about 40 tokens · 3 ms",
  );
});
