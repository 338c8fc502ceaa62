import { expect, test } from "vitest";
import { keepSignIn, takeSignIn } from "./begun-sign-ins.ts";

function memory(first?: string) {
  let text: string | null = first ?? null;
  return {
    getItem: () => text,
    setItem(_key: string, value: string) {
      text = value;
    },
  };
}

test("a sign-in is known by its state, once", () => {
  const store = memory();
  keepSignIn(store, "one", "bank");
  keepSignIn(store, "two", "docs");
  expect([takeSignIn(store, "one"), takeSignIn(store, "one"), takeSignIn(store, "two")]).toEqual([
    ...["bank", undefined, "docs"],
  ]);
});

test("what was stored by others, and a store that refuses, are no failure", () => {
  for (const text of ["{", "7", '["x"]', '[["a"]]', "null"]) expect(takeSignIn(memory(text), "a")).toBeUndefined();
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  };
  expect(() => keepSignIn(full, "a", "bank")).not.toThrow();
});
