import { expect, test } from "vitest";
import { ReleasingMap } from "./releasing-map.ts";

test("holds what a map holds, in order of insertion", () => {
  const map = new ReleasingMap<number>();
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  expect([...map.values()]).toEqual([3, 2]);
  expect([map.size, map.get("b"), map.has("c"), map.get("c")]).toEqual([2, 2, false, undefined]);
});

test("removes an entry once, also while its values are walked", () => {
  const map = new ReleasingMap<number>();
  for (const [i, key] of ["a", "b", "c"].entries()) map.set(key, i);
  const seen: number[] = [];
  for (const value of map.values()) {
    seen.push(value);
    map.delete("b");
  }
  expect(seen).toEqual([0, 2]);
  expect([map.delete("b"), map.delete("a"), map.size]).toEqual([false, true, 1]);
});
