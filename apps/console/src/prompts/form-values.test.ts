import fc from "fast-check";
import { expect, test } from "vitest";
import { formFields } from "./form-fields.ts";
import { type Entry, fieldInReason, firstEntry, nameOf, readStep } from "./form-values.ts";

const trip = {
  type: "object",
  required: ["city", "nights", "address"],
  properties: {
    city: { type: "string", title: "City", minLength: 2 },
    nights: { type: "integer", minimum: 1, maximum: 30, default: 3 },
    travel_class: { enum: ["economy", "business"], default: "economy" },
    seat: {
      oneOf: [
        { const: 1, title: "Window" },
        { const: 2, title: "Aisle" },
      ],
    },
    meals: { type: "array", items: { enum: ["breakfast", "dinner"] }, minItems: 1, default: ["dinner"] },
    wishes: { type: "array", items: { type: "string" }, maxItems: 2 },
    quiet: { type: "boolean", default: true },
    mail: { type: ["string", "null"], format: "email" },
    extra: { type: "object" },
    address: { type: "object", title: "Address", required: ["zip"], properties: { zip: { type: "string" } } },
  },
};

const entered = (entries: { readonly [name: string]: Entry }) =>
  readStep(formFields(trip), new Map(Object.entries(entries)));

test("a schema becomes fields with labels, controls and defaults", () => {
  expect(formFields(trip).map((field) => [nameOf(field), field.label, field.control.kind, field.required])).toEqual([
    ["city", "City", "text", true],
    ["nights", "Nights", "number", true],
    ["travel_class", "Travel class", "choice", false],
    ["seat", "Seat", "choice", false],
    ["meals", "Meals", "choices", false],
    ["wishes", "Wishes", "list", false],
    ["quiet", "Quiet", "switch", false],
    ["mail", "Mail", "text", false],
    ["extra", "Extra", "json", false],
    ["address.zip", "Zip", "text", true],
  ]);
  expect(formFields(trip).map(firstEntry)).toEqual(["", "3", "0", "", [1], "", true, "", "", ""]);
});

test("what is entered becomes the values that the schema asks for; what is left empty is left out", () => {
  expect(
    entered({ city: "Rome", nights: "4", seat: "1", meals: [0, 1], wishes: " sea \n\nsun", "address.zip": "00100" }),
  ).toEqual({
    ok: true,
    values: {
      ...{ city: "Rome", nights: 4, travel_class: "economy", seat: 2, meals: ["breakfast", "dinner"] },
      ...{ wishes: ["sea", "sun"], quiet: true, address: { zip: "00100" } },
    },
  });
});

test("a value that cannot be valid is reported for its field", () => {
  const read = entered({ city: "R", nights: "1.5", wishes: "a\nb\nc", extra: "{", "address.zip": "  " });
  expect(read.ok ? [] : [...read.problems]).toEqual([
    ["city", "At least 2 characters."],
    ["nights", "Enter a whole number."],
    ["wishes", "At most 2."],
    ["extra", "This is not valid JSON."],
    ["address.zip", "Fill this in."],
  ]);
  const few = entered({ city: "Rome", nights: "31", meals: [], "address.zip": "1" });
  expect(few.ok ? [] : [...few.problems]).toEqual([["nights", "At most 30."]]);
  const two = { type: "array", items: { enum: ["breakfast", "dinner"] }, minItems: 2 };
  const one = readStep(formFields({ properties: { meals: two } }), new Map([["meals", [0]]]));
  expect(one.ok ? [] : [...one.problems]).toEqual([["meals", "At least 2."]]);
});

test("a refusal of the service's is read back to its step and field", () => {
  expect(fieldInReason("Step 2: The field mail does not fit: String does not match format.")).toEqual({
    ...{ step: 1, name: "mail", problem: "This is not valid: String does not match format." },
  });
  expect(fieldInReason('The field mail does not fit: String does not match format "email".')?.problem).toBe(
    "Enter an e-mail address.",
  );
  expect(fieldInReason("The field address.zip is missing.")).toEqual({
    ...{ step: 0, name: "address.zip", problem: "Fill this in." },
  });
  expect(fieldInReason("It was answered already.")).toBeUndefined();
});

test("any schema gives controls, and each one's first value can be read", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (properties) => {
      const keys = ["type", "enum", "oneOf", "items", "default", "title", "minLength", "properties", "required"];
      const odd = Object.fromEntries(
        Object.entries(properties).map(([name, value], index) => [name, { [keys[index % keys.length] ?? ""]: value }]),
      );
      const fields = formFields({ properties: odd, required: Object.keys(odd) });
      expect(readStep(fields, new Map())).toHaveProperty("ok");
      expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    }),
  );
});
