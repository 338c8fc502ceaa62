import fc from "fast-check";
import { expect, test } from "vitest";
import type { Memory } from "./memory-types.ts";
import { memoryFacts, memoryTitle, offerWords, pieces, waitingWords } from "./memory-words.ts";

const found = (text: string, search: string) =>
  pieces(text, search)
    .filter(({ isFound }) => isFound)
    .map(({ text: word }) => word);

test("words that begin as those of a search are marked, and nothing of the text is lost", () => {
  expect(found("Coffees, black; no COFFEE after six. Decoffee.", "coffee after")).toEqual([
    "Coffees",
    "COFFEE",
    "after",
  ]);
  expect(found("a+b (c)", "a+b .* (")).toEqual([]);
  expect(found("Grüße aus Zürich", "grüß zür")).toEqual(["Grüße", "Zürich"]);
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, search) => {
      expect(
        pieces(text, search)
          .map((piece) => piece.text)
          .join(""),
      ).toBe(text);
    }),
  );
});

test("above a part of a document stands its place there, and no title twice", () => {
  expect(memoryTitle({ subject: "coffee", heading: "Drinks", source: null })).toBe("coffee");
  expect(memoryTitle({ subject: "", heading: "Handbook › Car › Key", source: "Handbook" })).toBe("Car › Key");
  expect(memoryTitle({ subject: "", heading: "Handbook", source: "Handbook" })).toBe("");
  expect(memoryTitle({ subject: "", heading: "Handbooks › Car", source: "Handbook" })).toBe("Handbooks › Car");
});

test("what waits says why", () => {
  expect(waitingWords("it contradicts 12, which the operator wrote", 12)).toBe(
    "It contradicts memory 12, which you wrote.",
  );
  expect(waitingWords("this conversation holds content from outside", null)).toBe(
    "This conversation holds content from outside.",
  );
});

test("a memory's line says where it belongs, when it is shown, and whose words it has", () => {
  const memory = { domain: "hot", memory_kind: "standing", delivery_policy: "always", trust: "agent", source: null };
  expect(memoryFacts(memory as Memory)).toBe("hot · standing · in every conversation · written by the agent");
  const part = { ...memory, domain: "general", memory_kind: "note", delivery_policy: "retrieved", source: "Handbook" };
  expect(memoryFacts(part as Memory)).toBe("general · from Handbook");
});

test("an offer to extract memories says what one costs, or that it is not known", () => {
  expect(offerWords({ model: "atlas:large", cost_usd: 0.0734 })).toContain("one costs up to about $0.073,");
  expect(offerWords({ model: "atlas:large", cost_usd: null })).toContain("what one costs is not known.");
});

test("a memory that is shared says so", () => {
  const own = { id: 1, tier: "private", commons: "same", domain: "general", content: "Ferns.", memory_kind: "note" };
  const more = { delivery_policy: "retrieved", trust: "operator", source: null };
  const memory = { ...own, ...more } as Memory;
  expect(memoryFacts(memory)).toBe("general · shared on this machine · your words");
  expect(memoryFacts({ ...memory, commons: "other" })).toBe("general · another text of it is shared · your words");
  expect(memoryFacts({ ...memory, tier: "commons" })).toBe("general · of the commons of this machine · your words");
});
