import { expect, test } from "vitest";
import { parseYaml, YAML_LIMITS } from "./parse-yaml.ts";
import { lineAt, toValue } from "./yaml-node.ts";

const read = (text: string) => {
  const result = parseYaml(text);
  return result.ok ? toValue(result.root) : `${result.line}: ${result.reason}`;
};

test("reads YAML 1.2: words and dates stay text, numbers and booleans are what they look like", () => {
  expect(read("a: off\nb: 2020-01-01\nc: yes\nd: 12\ne: 0.5\nf: true\ng: ~\nh: '12'\ni:")).toEqual({
    ...{ a: "off", b: "2020-01-01", c: "yes", d: 12, e: 0.5, f: true, g: null, h: "12", i: null },
  });
});

test.each(["", "# only a comment\n", "---\n", "null\n", "~"])("reads %j as an empty mapping", (text) => {
  expect(read(text)).toEqual({});
});

test("remembers the line of every value, through nested mappings and lists", () => {
  const result = parseYaml("# comment\na:\n  b:\n    - x: 1\n      y:\n        2\n");
  if (!result.ok) throw new Error(result.reason);
  expect(lineAt(result.root, ["a"])).toBe(2);
  expect(lineAt(result.root, ["a", "b", 0])).toBe(4);
  expect(lineAt(result.root, ["a", "b", 0, "y"])).toBe(5);
  expect(lineAt(result.root, ["a", "nothing", "below"])).toBe(2);
});

test("an alias is replaced by its anchor", () => {
  expect(read("a: &x {k: [1, 2]}\nb: *x")).toEqual({ a: { k: [1, 2] }, b: { k: [1, 2] } });
});

test.each([
  ["a tag that would construct something", "a: 1\nb: !!js/function 'x'", 2, "tags are not allowed"],
  ["a custom tag", "a: !vault x", 1, "tags are not allowed"],
  ["binary", "a: !!binary aGk=", 1, "tags are not allowed"],
  ["a set", "a: !!set {x}", 1, "tags are not allowed"],
  ["a key that stands twice", "a: 1\nb:\n  c: 1\n  c: 2", 4, "a key that already stands in the same mapping"],
  ["a key that is a list", "a: 1\n? [1, 2]\n: 3", 2, "a key must be plain text"],
  ["a second document", "a: 1\n---\nb: 2", 2, "a second document; one is allowed"],
  ["a list at the top", "- a", 1, "the file must be a mapping of sections"],
  ["text at the top", "just words", 1, "the file must be a mapping of sections"],
  ["__proto__", "a:\n  __proto__: {polluted: true}", 2, "the key __proto__ is not allowed"],
  ["constructor", "constructor: 1", 1, "the key constructor is not allowed"],
  ["tabs", "a:\n\tb: 1", 2, "Tabs are not allowed as indentation"],
  ["an alias without its anchor", "a: *secret-text", 1, "an alias without its anchor"],
  ["an alias inside its own anchor", "a: &x [*x]", 1, `nested more than ${YAML_LIMITS.depth} levels deep`],
])("refuses %s with line and reason, quoting nothing", (_what, text, line, reason) => {
  const result = parseYaml(text);
  expect(result).toEqual({ ok: false, line, reason });
  expect(reason).not.toContain("secret-text");
});

test("refuses what is nested too deeply, in any notation", () => {
  const reason = /deep|Resource/;
  for (const depth of [YAML_LIMITS.depth + 1, 1000, 20_000]) {
    expect(read(`a: ${"[".repeat(depth)}${"]".repeat(depth)}`)).not.toEqual(expect.any(Object));
    expect(read(`${"- ".repeat(depth)}1`)).not.toEqual(expect.any(Object));
  }
  expect(read(`a: ${"[".repeat(80)}${"]".repeat(80)}`)).toMatch(reason);
});

test("stops an alias bomb", () => {
  const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);
  expect(read(["l0: &l0 [lol]", ...levels].join("\n"))).toMatch(/more than (50000 values|100 aliases)/);
});

test("stops a file of too many values, and finds duplicates among many keys quickly", () => {
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: 1`).join("\n");
  expect(read(`${keys(40_000)}\nk7: 2`)).toMatch(/^40001: a key that already stands/);
  expect(read(keys(50_001))).toMatch(/more than 50000 values/);
});
