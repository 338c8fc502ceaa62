import { expect, test } from "vitest";
import { counts } from "./depends-on.ts";
import { boundsOf, enteredValue, shownValue, type ValueSpec } from "./field-value.ts";

const value = (spec: ValueSpec, entered: string | boolean) => {
  const read = enteredValue(spec, entered);
  return read.ok ? read.value : `refused: ${read.problem}`;
};

test.each<[ValueSpec, string | boolean]>([
  [{ type: "string", value: "a" }, "a"],
  [{ type: "number", value: 0.2 }, "0.2"],
  [{ type: "number", value: null }, ""],
  [{ type: "bool", value: true }, true],
  [{ type: "string_list", value: ["a", "b"] }, "a\nb"],
  [{ type: "json", value: { a: [1] } }, '{\n  "a": [\n    1\n  ]\n}'],
  [{ type: "secret", value: "never shown" }, ""],
])("%j is shown as %j, and read back as it was", (spec, shown) => {
  expect(shownValue(spec)).toBe(shown);
  if (spec.type === "secret") return;
  expect(value({ ...spec, default: null }, shown)).toEqual(spec.value ?? undefined);
});

test("numbers are held against their bounds before anything is sent", () => {
  const spec: ValueSpec = { type: "number", value: 1, default: 1, minimum: 0, maximum: 2 };
  expect(value(spec, " 2 ")).toBe(2);
  expect(value(spec, "2.1")).toBe("refused: At most 2.");
  expect(value(spec, "-1")).toBe("refused: At least 0.");
  expect(value(spec, "two")).toBe("refused: Enter a number.");
  expect(value(spec, "")).toBe("refused: Enter a number.");
  expect(value({ ...spec, default: null }, "")).toBeUndefined();
  expect(boundsOf(spec)).toBe("0 to 2");
  expect(boundsOf({ type: "number", value: 1, minimum: 3 })).toBe("at least 3");
  expect(boundsOf({ type: "number", value: 1 })).toBeUndefined();
});

test("lists leave blank lines out, and what is no JSON is refused", () => {
  expect(value({ type: "string_list", value: [] }, " a \n\n b")).toEqual(["a", "b"]);
  expect(value({ type: "string_list", value: [] }, "")).toEqual([]);
  expect(value({ type: "json", value: {} }, "{nope")).toBe("refused: This is not valid JSON.");
  expect(value({ type: "json", value: {} }, "")).toBeUndefined();
});

test("a field is shown while the one it depends on is shown with the value it names", () => {
  const fields = [
    { key: "s.on", value: false },
    { key: "s.mode", value: "b", depends_on: { key: "s.on", equals: true } },
    { key: "s.depth", value: 1, depends_on: { key: "s.mode", in: ["a", "b"] } },
    { key: "s.elsewhere", value: 1, depends_on: { key: "other.on", equals: true } },
    { key: "s.any", value: 1, depends_on: { key: "s.mode" } },
  ];
  const shown = (draft: ReadonlyMap<string, string | boolean>) =>
    fields.filter((one) => counts(one, fields, draft)).map(({ key }) => key);
  expect(shown(new Map())).toEqual(["s.on", "s.elsewhere"]);
  expect(shown(new Map([["s.on", true]]))).toEqual(["s.on", "s.mode", "s.depth", "s.elsewhere", "s.any"]);
  const other = new Map<string, string | boolean>([
    ["s.on", true],
    ["s.mode", ""],
  ]);
  expect(shown(other)).toEqual(["s.on", "s.mode", "s.elsewhere"]);
});

test("fields that depend on each other are decided, and not for ever", () => {
  const fields = [
    { key: "a", value: true, depends_on: { key: "b", equals: true } },
    { key: "b", value: true, depends_on: { key: "a", equals: true } },
  ] as const;
  expect(fields.map((one) => counts(one, fields, new Map()))).toEqual([true, true]);
});
