import { expect, test } from "vitest";
import { createDrafts, NO_DRAFT, withUnsent } from "./drafts.ts";

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test("a draft survives, belongs to its session, and goes when it is empty", () => {
  const kept = storage();
  const drafts = createDrafts(() => kept);
  const draft = { text: "half a", model: "m", effort: "low", incognito: true };
  drafts.write("a", draft);
  expect(createDrafts(() => kept).read("a")).toEqual(draft);
  expect(drafts.read("b")).toEqual(NO_DRAFT);
  drafts.write("a", NO_DRAFT);
  expect(kept.getItem("agent-service.drafts")).toBe("[]");
});

test("the drafts written last are kept, however many there are, and entries that are no drafts are skipped", () => {
  const kept = storage();
  const drafts = createDrafts(() => kept);
  for (let no = 0; no < 60; no++) drafts.write(`s${no}`, { ...NO_DRAFT, text: "x" });
  expect([drafts.read("s9").text, drafts.read("s10").text]).toEqual(["", "x"]);
  kept.setItem("agent-service.drafts", '[["a",null],7,["b",{"text":3}]]');
  expect([drafts.read("a"), drafts.read("b")]).toEqual([NO_DRAFT, NO_DRAFT]);
  kept.setItem("agent-service.drafts", "{broken");
  expect(createDrafts(() => kept).read("a")).toEqual(NO_DRAFT);
});

test("where storage is refused, a draft lasts as long as the page", () => {
  const drafts = createDrafts(() => {
    throw new Error("refused");
  });
  drafts.write("a", { ...NO_DRAFT, text: "x" });
  expect(drafts.read("a").text).toBe("x");
});

test("a message that could not be sent is put before the draft, which stays", () => {
  const draft = { text: "and then", model: "m", effort: "", incognito: true };
  expect(withUnsent(draft, "Look at it")).toEqual({ ...draft, text: "Look at it\n\nand then" });
  expect(withUnsent(NO_DRAFT, "Look at it").text).toBe("Look at it");
  expect(withUnsent(draft, "").text).toBe("and then");
});
