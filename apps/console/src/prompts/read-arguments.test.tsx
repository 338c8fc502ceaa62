import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Arguments } from "./arguments.tsx";
import { readArguments } from "./read-arguments.ts";

test("edited arguments are a JSON object, and nothing else", () => {
  expect(readArguments('{"path": "/a"}')).toEqual({ path: "/a" });
  for (const text of ["", "[]", "null", '"a"', "{path: 1}", "{}}"]) expect(readArguments(text)).toBeUndefined();
});

test("a person sees the exact arguments, each with its name", () => {
  const shown = renderToStaticMarkup(<Arguments tool="run_command" args={{ command: "rm -rf <b>", dirs: ["a"] }} />);
  expect(shown).toContain("run_command");
  expect(shown).toContain("rm -rf &lt;b&gt;");
  expect(shown).toContain("[\n  &quot;a&quot;\n]");
});
