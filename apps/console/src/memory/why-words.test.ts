import { expect, test } from "vitest";
import type { Injection } from "./memory.ts";
import { whyWords } from "./why-words.ts";

const hit: Injection["items"][number] = {
  ...{ chunk_id: 1, revision: 1, kind: "hit", trust: "agent", score: 0.1 },
  ...{ keyword_rank: 1, vector_rank: null, words: 2 },
};

test("a memory is shown because it always is, by its words, or by its meaning", () => {
  expect(whyWords({ ...hit, kind: "always" })).toBe("in every conversation");
  expect(whyWords(hit)).toBe("place 1 by words, 2 words of the message");
  expect(whyWords({ ...hit, words: 1, vector_rank: 3 })).toBe(
    "place 1 by words, 1 word of the message; place 3 by meaning",
  );
  expect(whyWords({ ...hit, keyword_rank: null, vector_rank: 3 })).toBe("place 3 by meaning");
});
