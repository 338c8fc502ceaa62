import { expect, test } from "vitest";
import { shellArgument } from "./shell-argument.ts";

test("a shell reads a quoted text as one argument, whatever is in it", () => {
  expect(shellArgument("a b")).toBe("'a b'");
  expect(shellArgument("it's $HOME")).toBe(String.raw`'it'\''s $HOME'`);
});
