import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFormAnswer } from "./index.ts";

const text = { type: "string" };
const person = {
  schema: {
    type: "object",
    properties: {
      name: text,
      age: { type: "integer", minimum: 0 },
      colour: { type: "string", enum: ["red", "green"], default: "red" },
    },
    required: ["name", "age", "colour"],
    additionalProperties: false,
  },
};
const address = {
  schema: {
    type: "object",
    properties: {
      city: text,
      geo: { type: "object", properties: { lat: { type: "number" }, unit: { default: "deg" } } },
    },
    required: ["city"],
    additionalProperties: false,
  },
};
const note = { schema: { type: "object", properties: { note: text }, required: ["note"] } };

describe("the answer to a form of one step (A13)", () => {
  it("is an object that fits the schema; defaults fill in and count", () => {
    expect(readFormAnswer([person], { name: "Ann", age: 3 })).toEqual({
      ok: true,
      values: { name: "Ann", age: 3, colour: "red" },
    });
  });

  it("may be the same as JSON text, or a list of the one object", () => {
    expect(readFormAnswer([person], ' {"name":"Ann","age":3} ')).toMatchObject({ ok: true, values: { age: 3 } });
    expect(readFormAnswer([person], [{ name: "Ann", age: 3 }])).toMatchObject({ ok: true, values: { age: 3 } });
  });

  it.each([
    [{ age: 3 }, "The field name is missing."],
    [{ name: "Ann", age: "3" }, 'The field age does not fit: Instance type "string" is invalid. Expected "integer".'],
    [{ name: "Ann", age: -1 }, /^The field age does not fit: /],
    [{ name: "Ann", age: 1, colour: "blue" }, "The field colour does not fit: must be one of red, green."],
    [{ name: "Ann", age: 1, size: 2 }, "The field size is not asked for."],
    [[], /^The answer must be a JSON object with the fields name, age, colour\.$/],
    [42, /^The answer must be a JSON object/],
    [null, /^The answer must be a JSON object/],
  ])("%j is refused with a reason that names the field", (answer, reason) => {
    expect(readFormAnswer([person], answer)).toEqual({
      ok: false,
      reason: typeof reason === "string" ? reason : expect.stringMatching(reason),
    });
  });

  it("names a field inside another by its path", () => {
    const answer = { city: "Oslo", geo: { lat: "north" } };
    expect(readFormAnswer([address], answer)).toMatchObject({ ok: false, reason: expect.stringContaining("geo.lat") });
  });

  it("fills defaults inside nested objects", () => {
    expect(readFormAnswer([address], { city: "Oslo" })).toEqual({
      ok: true,
      values: { city: "Oslo", geo: { unit: "deg" } },
    });
  });

  it("may be plain text when there is exactly one text field", () => {
    expect(readFormAnswer([note], "Just do it.\n")).toEqual({ ok: true, values: { note: "Just do it.\n" } });
    expect(readFormAnswer([note], "42")).toEqual({ ok: true, values: { note: "42" } });
    expect(readFormAnswer([note], '{"note":"as JSON"}')).toEqual({ ok: true, values: { note: "as JSON" } });
    expect(readFormAnswer([person], "Ann")).toMatchObject({ ok: false });
  });

  it("may be empty when defaults answer everything", () => {
    const optional = { schema: { type: "object", properties: { a: { type: "number", default: 5 } }, required: ["a"] } };
    expect(readFormAnswer([optional], {})).toEqual({ ok: true, values: { a: 5 } });
    expect(readFormAnswer([optional], "")).toEqual({ ok: true, values: { a: 5 } });
  });

  it("is accepted as any object, with a warning, when the agent's schema is broken", () => {
    const warnings: string[] = [];
    const broken = { schema: { type: "object", properties: { when: { type: "date" } }, required: ["when"] } };
    expect(readFormAnswer([broken], { when: "now" }, (line) => warnings.push(line))).toEqual({
      ok: true,
      values: { when: "now" },
    });
    expect(warnings).toEqual([expect.stringContaining("unknown type")]);
    expect(readFormAnswer([{} as never, null as never], {})).toEqual({ ok: true, values: {} });
  });
});

describe("the answer to a form of several steps (A13)", () => {
  const merged = { name: "Ann", age: 3, colour: "green", city: "Oslo", geo: { unit: "deg" } };

  it("may be one object of all fields or one object per step, and is read as one object", () => {
    expect(readFormAnswer([person, address], { name: "Ann", age: 3, colour: "green", city: "Oslo" })).toEqual({
      ok: true,
      values: merged,
    });
    expect(readFormAnswer([person, address], [{ name: "Ann", age: 3, colour: "green" }, { city: "Oslo" }])).toEqual({
      ok: true,
      values: merged,
    });
  });

  it("is read as one object per step where steps share a field's name", () => {
    expect(readFormAnswer([note, note], [{ note: "a" }, { note: "b" }])).toEqual({
      ok: true,
      values: [{ note: "a" }, { note: "b" }],
    });
    expect(readFormAnswer([note, note], { note: "a" })).toEqual({ ok: true, values: [{ note: "a" }, { note: "a" }] });
  });

  it("names the step and the field that does not fit", () => {
    expect(readFormAnswer([person, address], { name: "Ann", age: 3 })).toEqual({
      ok: false,
      reason: "Step 2: The field city is missing.",
    });
    expect(readFormAnswer([person, address], { ...merged, extra: 1 })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("extra is not asked for"),
    });
  });

  it("needs one object per step when it is a list", () => {
    expect(readFormAnswer([person, address], [{ name: "Ann" }])).toMatchObject({
      ok: false,
      reason: expect.stringContaining("a list of 2 objects"),
    });
  });
});

describe("any form and any answer", () => {
  it("give values or a reason, and never throw", () => {
    const schema = fc.oneof(
      fc.constantFrom(person.schema, address.schema, note.schema),
      fc.dictionary(
        fc.constantFrom("type", "properties", "required", "items", "enum", "allOf", "pattern", "$ref"),
        fc.jsonValue(),
      ),
    );
    const steps = fc.array(
      schema.map((one) => ({ schema: one as { [key: string]: unknown } })),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(steps, fc.oneof(fc.jsonValue(), fc.string(), fc.json()), (form, answer) => {
        const read = readFormAnswer(form, answer);
        if (read.ok) expect(typeof read.values).toBe("object");
        else expect(read.reason).not.toBe("");
      }),
    );
  });
});
