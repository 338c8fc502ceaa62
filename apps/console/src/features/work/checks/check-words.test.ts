import { expect, test } from "vitest";
import { checkWords } from "./check-words.ts";

test("a check is read in words, with what it runs or looks at", () => {
  expect(checkWords({ type: "test", command: "node --test", pin: ["a.test.mjs", "b.mjs"], cwd: "web" })).toEqual({
    what: "The tests pass, and there are some",
    code: "node --test",
    more: ["in web", "a.test.mjs, b.mjs must not change"],
  });
  expect(checkWords({ type: "command", command: "true" })).toMatchObject({ code: "true", more: [] });
  expect(checkWords({ type: "data", path: "a.json", expr: "x > 1" })).toMatchObject({
    what: "Of a.json this is true",
    code: "x > 1",
  });
  expect(checkWords({ type: "data", path: "a.txt", contains: "x" })).toMatchObject({ what: "a.txt contains" });
  expect(checkWords({ type: "llm" })).toEqual({ what: "A model judges it", more: [] });
  expect(checkWords({ type: "plugin", check: "core:board" })).toEqual({ what: "core:board", more: [] });
});

test("a check before a slot is read like any other, and what has no words stays as it is", () => {
  const page = { check: "core:url", check_args: { url: "https://a.example", status: 200 } };
  expect(checkWords(page)).toEqual({ what: "core:url", code: "url: https://a.example\nstatus: 200", more: [] });
  expect(checkWords({ verifier: { type: "command", command: "true" } })).toMatchObject({ code: "true" });
  for (const other of [{ type: "ci", pr: 1 }, { type: "command" }, "llm", null, 7, {}])
    expect(checkWords(other)).toBeUndefined();
});
