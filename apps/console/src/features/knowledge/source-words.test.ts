import { expect, test } from "vitest";
import { sourceFacts } from "./source-words.ts";

test("a document's row says how far it is, where it belongs, what it is and how large", () => {
  const source = { state: "reading", source_type: "pdf", domain: "work", bytes: 2_000, total: 40, done: 8 } as const;
  expect(sourceFacts(source)).toBe("8 of 40 memories stored · work · pdf · 2.0 kB");
  expect(sourceFacts({ ...source, state: "ready", total: 1 })).toBe("1 memory · work · pdf · 2.0 kB");
  expect(sourceFacts({ ...source, state: "queued", source_type: "" })).toBe("waits to be read · work · 2.0 kB");
});
