import { expect, test } from "vitest";
import { recentlyMade } from "./recently-made.ts";

test("makes a value once for readers that ask for it one after the other", () => {
  const made: object[] = [];
  const texts = recentlyMade<string>(2);
  const [a, b, c] = [{ id: "a" }, { id: "b" }, { id: "c" }];
  const text = (key: { id: string }) =>
    texts.get(key, () => {
      made.push(key);
      return key.id;
    });
  expect([a, a, b, a, b].map(text)).toEqual(["a", "a", "b", "a", "b"]);
  expect(made).toEqual([a, b]);
  text(c);
  text(a);
  expect(made, "the oldest is forgotten").toEqual([a, b, c, a]);
});
