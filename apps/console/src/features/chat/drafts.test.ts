import { expect, test } from "vitest";
import { createDrafts, NO_DRAFT, withTakenBack } from "./drafts.ts";

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
  const begun = { text: "half a", model: "m", incognito: true };
  drafts.write("a", begun);
  expect(createDrafts(() => kept).read("a")).toEqual(begun);
  expect(drafts.read("b")).toEqual(NO_DRAFT);
  drafts.write("a", NO_DRAFT);
  expect(kept.getItem("agent-service.drafts")).toBe("[]");
});

test("the drafts written last are kept, however many there are, and what is no draft is passed over", () => {
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

test("what comes back is put before what was begun meanwhile, which stays", () => {
  const begun = { text: "and then", model: "m", incognito: true };
  expect(withTakenBack(begun, "Look at it")).toEqual({ ...begun, text: "Look at it\n\nand then" });
  expect(withTakenBack(NO_DRAFT, "Look at it").text).toBe("Look at it");
  expect(withTakenBack(begun, "").text).toBe("and then");
});
