import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test("whatever a text has in it, a shell takes it as one word", () => {
  expect(shellWord("a b")).toBe("'a b'");
  expect(shellWord("it's $HOME")).toBe(String.raw`'it'\''s $HOME'`);
});
