import { describe, expect, it } from "vitest";
import { checkSchema } from "./index.ts";

const text = { type: "string" };

describe("checkSchema", () => {
  it("distinguishes valid from invalid, naming the innermost error", () => {
    const schema = { type: "object", properties: { zip: { type: "string", minLength: 3 } }, required: ["zip"] };
    expect(checkSchema(schema, { zip: "12345" })).toEqual({ kind: "valid" });
    expect(checkSchema(schema, { zip: "1" })).toMatchObject({
      kind: "invalid",
      errors: expect.arrayContaining([expect.objectContaining({ instanceLocation: "#/zip" })]),
    });
  });

  it("supports draft 2020-12, and draft 7 when the schema declares it (A17)", () => {
    const tuple = { prefixItems: [text, { type: "number" }], items: false };
    expect(checkSchema(tuple, ["a", 1]).kind).toBe("valid");
    expect(checkSchema(tuple, ["a", 1, 2]).kind).toBe("invalid");
    const draft7 = {
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: { short: { maxLength: 2 } },
      properties: { a: { $ref: "#/definitions/short", minLength: 99 } },
    };
    expect(checkSchema(draft7, { a: "ab" }).kind).toBe("valid");
    expect(checkSchema(draft7, { a: "abc" }).kind).toBe("invalid");
  });

  it("leaves the schema as it was, frozen or not", () => {
    const schema = Object.freeze({ type: "object", properties: Object.freeze({ a: Object.freeze({ $ref: "#" }) }) });
    expect(checkSchema(schema, { a: {} }).kind).toBe("valid");
    expect(Object.getOwnPropertyNames(schema)).toEqual(["type", "properties"]);
  });

  it.each([
    [{ type: "objekt" }, "unknown type"],
    [{ properties: { a: { type: ["string", "date"] } } }, "at properties.a"],
    [{ properties: [] }, "properties must be an object"],
    [{ properties: { a: { type: "string", required: true } } }, "required must be a list"],
    [{ properties: { a: { enum: [] } } }, "enum must be a list"],
    [{ properties: { a: { pattern: "(" } } }, "not a regular expression"],
    [{ allOf: [{ items: [7] }] }, "a schema must be an object at allOf.0.items.0"],
    [{ $ref: "#/$defs/missing" }, "Unresolved $ref"],
    [{ $ref: "#" }, "call stack"],
  ])("reports %j as broken, with the reason", (schema, problem) => {
    expect(checkSchema(schema, {})).toEqual({ kind: "broken", problem: expect.stringContaining(problem) });
  });

  it("ends a pattern that backtracks for ever and a schema nested without end (S7)", () => {
    const slow = { properties: { a: { pattern: "^(a+)+$" } } };
    expect(checkSchema(slow, { a: `${"a".repeat(60)}!` })).toMatchObject({ kind: "broken" });
    let deep: { [key: string]: unknown } = {};
    for (let i = 0; i < 10_000; i++) deep = { not: deep };
    expect(checkSchema(deep, {})).toMatchObject({ kind: "broken", problem: expect.stringContaining("64 levels") });
  });
});
