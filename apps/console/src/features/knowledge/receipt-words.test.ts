import { expect, it } from "vitest";
import { receiptFacts, receiptTitle } from "./receipt-words.ts";

const none = { chunks: 0, frames: 0, summaries: 0, sources: 0, attachments: 0, vectors: 0 };

it.each([
  [{ ...none, chunks: 1, frames: 1 }, "1 memory · 1 place where it was shown"],
  [
    { ...none, chunks: 2, frames: 3, sources: 1, vectors: 2 },
    "2 memories · 3 places where they were shown · 1 document",
  ],
  [{ ...none, summaries: 1, attachments: 2 }, "1 summary · 2 attachments"],
  [none, ""],
])("says how much was forgotten (%j)", (counts, text) => expect(receiptFacts({ counts })).toBe(text));

it("says what it was", () => expect(receiptTitle({ scope: "session" })).toBe("A conversation"));
