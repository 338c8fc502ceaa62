import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type JsonSchema, jsonInput, jsonSchemaOf } from "./index.ts";

/** What is wrong with a value, each with its place; nothing: it fits. */
function problems(schema: JsonSchema, value: unknown): string[] {
  const { issues = [] } = v.safeParse(jsonInput(schema), value);
  return issues.map((issue) => `${v.getDotPath(issue) ?? ""}: ${issue.message}`);
}
const fits = (schema: JsonSchema, value: unknown): boolean => problems(schema, value).length === 0;
const text = { type: "string" };

describe("jsonInput", () => {
  it("checks arguments and names every place", () => {
    const schema = {
      type: "object",
      properties: { city: text, days: { type: "integer", maximum: 7 }, "a/b": { type: "array", items: text } },
      required: ["city"],
      additionalProperties: false,
    };
    expect(problems(schema, { city: "Bern", days: 3 })).toEqual([]);
    const wrong = problems(schema, { days: 9.5, "a/b": ["x", 1], more: true });
    expect(wrong).toHaveLength(5);
    expect(wrong).toEqual(
      expect.arrayContaining([
        "city: is missing",
        expect.stringMatching(/^days: .*integer/),
        expect.stringMatching(/^days: 9.5 is greater than 7/),
        expect.stringMatching(/^a\/b.1: .*string/),
        expect.stringMatching(/"more" .*additional properties/),
      ]),
    );
    expect(problems(schema, [])).toEqual([": expected a JSON object"]);
  });

  it("hands arguments over as written", () => {
    const schema = { properties: { a: { default: 1 } } };
    const written = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "more": []}');
    expect(v.parse(jsonInput(schema), written)).toBe(written);
    expect(jsonSchemaOf(jsonInput(schema))).toEqual(schema);
    expect(jsonSchemaOf(v.object({}))).toBeUndefined();
  });

  it("reads 2020-12 and draft-07", () => {
    const tuple = { properties: { a: { prefixItems: [text], items: false } } };
    expect([fits(tuple, { a: ["x"] }), fits(tuple, { a: ["x", 1] })]).toEqual([true, false]);
    const seven = {
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: "https://example.com/seven",
      definitions: { short: { maxLength: 2 } },
      properties: { a: { $ref: "#/definitions/short", minLength: 9 }, b: { items: [text], additionalItems: false } },
      dependencies: { a: ["b"], c: { required: ["a"] } },
    };
    expect(fits(seven, { a: "ab", b: ["x"] })).toBe(true);
    for (const bad of [{ a: "abc", b: [] }, { a: "ab" }, { b: ["x", "y"] }, { c: 1 }])
      expect(fits(seven, bad)).toBe(false);
  });

  it("follows references within the schema only", () => {
    const tree = { $defs: { node: { properties: { next: { $ref: "#/$defs/node" }, n: text } } }, $ref: "#/$defs/node" };
    expect([fits(tree, { next: { next: { n: "x" } } }), fits(tree, { next: { next: { n: 1 } } })]).toEqual([
      true,
      false,
    ]);
    const elsewhere = { properties: { a: { $ref: "https://example.com/a.json" }, b: { $ref: "#/gone" }, c: text } };
    expect([fits(elsewhere, { a: 1, b: 2, c: "x" }), fits(elsewhere, { c: 1 })]).toEqual([true, false]);
    const aside = { components: { schemas: { A: text } }, properties: { a: { $ref: "#/components/schemas/A" } } };
    expect([fits(aside, { a: "x" }), fits(aside, { a: 1 })]).toEqual([true, false]);
  });

  it("executes no regular expression of a schema", () => {
    const slow = "^(a+)+$";
    const value = { a: `${"a".repeat(60)}!`, n: 1 };
    const schema = {
      properties: { a: { pattern: slow }, n: { type: "number" } },
      patternProperties: { [slow]: false, "(": text },
      additionalProperties: false,
      not: { properties: { a: { pattern: slow } } },
    };
    expect(fits(schema, { ...value, more: true })).toBe(true);
    expect(fits(schema, { ...value, n: "x" })).toBe(false);
  });

  it("survives cycles, depth and multiplication", () => {
    let deep: JsonSchema = text;
    for (let level = 0; level < 1000; level++) deep = { properties: { a: deep } };
    let nested: object = { x: 1 };
    for (let level = 0; level < 60; level++) nested = { a: nested };
    expect(fits(deep, nested)).toBe(true);
    expect(fits(deep, { a: 1 })).toBe(true);
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`d${n}`, { allOf: Array(3).fill({ $ref: `#/$defs/d${n + 1}` }) }]),
    );
    for (const schema of [
      { $ref: "#" },
      { allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } } },
      { $defs: { ...$defs, d40: text }, $ref: "#/$defs/d0", properties: {} },
    ]) {
      expect(problems(schema, {})).toEqual([expect.stringMatching(/cannot be checked|does not|Instance|subschema/)]);
    }
    const own: { [key: string]: unknown } = {};
    own.own = own;
    expect(() => jsonInput(own)).toThrow(TypeError);
    expect(() => jsonInput([] as never)).toThrow(TypeError);
  });
});

const names = fc.constantFrom("a", "b", "c", "__proto__", "constructor");
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, 2.5, "", "ab", "xyz"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(names, tie("any"), { maxKeys: 3 }),
  ),
})).any;
const object = fc.dictionary(names, value, { maxKeys: 4 });

/** `only`: whether schemas hold what is left out. */
function schemas(patterns: boolean) {
  return fc.letrec<{ schema: JsonSchema }>((tie) => {
    const one = tie("schema");
    const list = fc.array(one, { minLength: 1, maxLength: 3 });
    const map = fc.dictionary(names, one, { maxKeys: 3 });
    const plain = fc.record(
      {
        type: fc.constantFrom<unknown>("object", "string", "number", "array", ["object", "null"]),
        enum: fc.array(value, { minLength: 1, maxLength: 3 }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        minimum: fc.constantFrom(0, 1),
        maxLength: fc.constantFrom(0, 2),
        minItems: fc.constantFrom(0, 1),
        uniqueItems: fc.boolean(),
        ...(patterns ? { pattern: fc.constantFrom("^a", "x"), patternProperties: fc.record({ "^a": one }) } : {}),
      },
      { requiredKeys: [] },
    );
    const nested = fc.record(
      {
        properties: map,
        additionalProperties: fc.oneof(fc.boolean(), one) as fc.Arbitrary<unknown>,
        items: one,
        allOf: list,
        anyOf: list,
        oneOf: list,
        not: one,
        if: one,
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: one,
        else: one,
        contains: one,
        maxContains: fc.constantFrom(1, 2),
        unevaluatedProperties: fc.boolean(),
        $defs: map,
        $ref: fc.constantFrom("#/$defs/a", "#/oneOf/0", "#/nowhere"),
      },
      { requiredKeys: [] },
    );
    return {
      schema: fc.oneof(
        { maxDepth: 2 },
        plain,
        fc.tuple(plain, nested).map(([a, b]) => ({ ...a, ...b })),
      ) as never,
    };
  }).schema;
}

/** What the whole schema says; undefined: it cannot be read. */
function wholeVerdict(schema: JsonSchema, given: unknown): boolean | undefined {
  try {
    return new Validator(structuredClone(schema), "2020-12").validate(given).valid;
  } catch {
    return undefined;
  }
}

it("refuses only what the whole schema refuses", () => {
  fc.assert(
    fc.property(schemas(true), object, (schema, given) => {
      const whole = wholeVerdict(schema, given);
      if (whole === true) expect(problems(schema, given)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

it("decides as the whole schema where nothing is left out", () => {
  fc.assert(
    fc.property(schemas(false), object, (schema, given) => {
      const whole = wholeVerdict(schema, given);
      if (whole !== undefined && !JSON.stringify(schema).includes('"#/')) expect(fits(schema, given)).toBe(whole);
    }),
    { numRuns: 150 },
  );
});

it("throws for no JSON at all", () => {
  const keyword = fc.constantFrom(
    ...["type", "properties", "items", "$ref", "$id", "id", "$anchor", "enum", "required", "allOf", "dependencies"],
    ...["pattern", "not", "minimum", "uniqueItems", "$schema", "format", "prefixItems", "contains", "propertyNames"],
  );
  const junk = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom("#", "#/properties/a", "string", "(", "http://[", "__proto__"),
      fc.array(tie("any"), { maxLength: 2 }),
      fc.dictionary(fc.oneof(keyword, names), tie("any"), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(keyword, junk, { maxKeys: 4 }), object, (schema, given) => {
      expect(problems(schema, given)).toBeInstanceOf(Array);
    }),
    { numRuns: 150 },
  );
});
