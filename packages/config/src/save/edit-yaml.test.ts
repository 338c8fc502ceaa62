import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { parseYaml, toValue } from "../yaml-file/index.ts";
import { type ConfigEdit, editedValue, withoutNothing } from "./edit.ts";
import { editYaml } from "./edit-yaml.ts";

const set = (path: ConfigEdit["path"], value: unknown): ConfigEdit => ({ path, value });
const entry = (is: string) => ({ field: "id", is });

const EXAMPLE = `## What this is.

## Who
identity:
  ## The name.
  # name: protoagent
  ## The person.
  # operator: ""

## Connections
# providers:
  ## id: a slug
  ## For example:

model: # the lead
  ## Lead
  # name: x
  temperature: 0.20 # mine
  mystery: [1,  2]   # nobody knows it
  ## Tokens
  # max_tokens: 5
`;

test("a setting is written below the line that explains it, and every other byte stays", () => {
  const edited = editYaml(EXAMPLE, [
    set(["identity", "operator"], "off"),
    set(["model", "temperature"], 1),
    set(["model", "max_tokens"], 7),
    set(["providers", entry("local"), "base_url"], "http://127.0.0.1/v1"),
  ]);
  expect(edited).toBe(
    `## What this is.

## Who
identity:
  ## The name.
  # name: protoagent
  ## The person.
  # operator: ""
  operator: "off"

## Connections
# providers:
  ## id: a slug
  ## For example:
providers:
  - id: local
    base_url: http://127.0.0.1/v1

model: # the lead
  ## Lead
  # name: x
  temperature: 1 # mine
  mystery: [1,  2]   # nobody knows it
  ## Tokens
  # max_tokens: 5
  max_tokens: 7
`.replace('operator: "off"', "operator: off"),
  );
});

test("what was set is taken away again, and the file is what it was", () => {
  const edited = editYaml(EXAMPLE, [set(["identity", "name"], "x"), set(["model", "max_tokens"], 7)]);
  expect(edited).not.toBe(EXAMPLE);
  expect(editYaml(edited, [set(["identity", "name"], undefined), set(["model", "max_tokens"], undefined)])).toBe(
    EXAMPLE,
  );
});

describe("entries of a list", () => {
  const LIST = `providers:
  # the one here
  - id: a # first
    base_url: http://a
  - id: b
    label: B

model: {name: "a:x"}
`;
  test.each<[string, ConfigEdit, string]>([
    [
      "a field is changed",
      set(["providers", entry("a"), "base_url"], "http://c"),
      LIST.replace("http://a", "http://c"),
    ],
    [
      "a field is added",
      set(["providers", entry("b"), "base_url"], "http://b"),
      LIST.replace("label: B\n", "label: B\n    base_url: http://b\n"),
    ],
    ["an entry is removed", set(["providers", entry("b")], undefined), LIST.replace("  - id: b\n    label: B\n", "")],
    [
      "an entry is added",
      set(["providers", entry("c"), "type"], "scripted"),
      LIST.replace("label: B\n", "label: B\n  - id: c\n    type: scripted\n"),
    ],
    [
      "a value of a flow mapping is changed",
      set(["model", "name"], "b:y"),
      LIST.replace('{name: "a:x"}', "{ name: b:y }"),
    ],
  ])("%s in place", (_what, edit, expected) => {
    expect(editYaml(LIST, [edit])).toBe(expected);
  });
});

test.each(["constructor", "prototype", "__proto__"])("a key %s is refused with a reason", (key) => {
  const value = Object.fromEntries([[key, "x"]]);
  expect(() => editYaml("a: {b: 1}\n", [{ path: ["a", "c"], value }])).toThrow(
    expect.objectContaining({ name: "ConfigSaveError", code: "unwritable" }),
  );
});

test("removing the last entry leaves an explicit empty list (B51 providers, rule 3)", () => {
  expect(editYaml("providers:\n  - id: a\n", [set(["providers", entry("a")], undefined)])).toBe("providers: []\n");
});

test("an anchor that is removed leaves its value where it was used", () => {
  const edited = editYaml("a: &x {k: 1}\nb: *x # here\n", [set(["a"], undefined), set(["b", "k"], 2)]);
  const parsed = parseYaml(edited);
  expect(parsed.ok && toValue(parsed.root)).toEqual({ b: { k: 2 } });
});

const name = fc.constantFrom("a", "b", "c", "name", "on", "null", "1", "key with space", "x.y", "#k");
const scalar = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "",
    "off",
    "~",
    "0x10",
    "1e3",
    "- x",
    "# no comment",
    "a: b",
    "line\nbreak",
    "  indented\n\n  text\n",
    "trailing \n",
  ),
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(name, tie("tree"), { maxKeys: 4 }),
  ),
}));
const sectionTree = fc.dictionary(name, tree, { maxKeys: 4 });
const list = fc.uniqueArray(fc.record({ id: fc.constantFrom("p", "q", "r"), v: scalar }), { selector: ({ id }) => id });
const step = fc.oneof({ weight: 5, arbitrary: name.map((one): ConfigEdit["path"][number] => one) });
const edits = fc.array(
  fc.record({
    path: fc.oneof(
      fc.array(step, { minLength: 1, maxLength: 3 }),
      fc.tuple(fc.constant("list"), fc.constantFrom("p", "q", "s").map(entry), fc.constantFrom("v", "w")),
      fc.tuple(fc.constant("list"), fc.constantFrom("p", "q", "s").map(entry)).filter(() => true),
    ),
    value: fc.oneof(fc.constant(undefined), scalar, fc.array(scalar, { maxLength: 2 })),
  }),
  { minLength: 1, maxLength: 4 },
);

/** A document with a comment above every line that stands at the beginning of a key, and behind some. */
function commented(text: string, flow: boolean): { text: string; comments: string[] } {
  const comments: string[] = [];
  const lines = text.split("\n").flatMap((line) => {
    // Only at the top level: a comment line elsewhere could stand inside a text block.
    if (flow || !/^[a-z]+:/.test(line)) return [line];
    comments.push(`note ${comments.length}!`);
    return [`# ${comments.at(-1)}`, line];
  });
  return { text: lines.join("\n"), comments };
}

test("property: whatever the file and the changes, what is read back is the file's value with the changes, and no comment is lost", () => {
  fc.assert(
    fc.property(sectionTree, list, fc.boolean(), edits, (sections, entries, flow, changes) => {
      const source = stringify(
        { ...sections, list: entries },
        { version: "1.2", schema: "core", lineWidth: 0, ...(flow ? { collectionStyle: "flow" } : {}) },
      );
      const { text, comments } = commented(source, flow);
      const before = parseYaml(text);
      if (!before.ok) return;
      const usable = changes.filter(
        ({ path, value }) => !(path[0] === "list" && path.length === 2 && value !== undefined),
      ) as unknown as ConfigEdit[];
      const wanted = usable.reduce<unknown>(
        (value, edit) => editedValue(value, edit.path, edit.value),
        toValue(before.root),
      );
      const edited = editYaml(text, usable);
      const after = parseYaml(edited);
      expect(after.ok && withoutNothing(toValue(after.root))).toEqual(withoutNothing(wanted));
      for (const comment of comments) expect(edited).toContain(comment);
    }),
    { numRuns: 400 },
  );
});
