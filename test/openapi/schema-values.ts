import fc from "fast-check";

/** What of JSON Schema 2020-12 the operator API's document uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Longest generated text, list and mapping: bounds are tested where they are declared. */
const MOST = { text: 40, items: 3 };
const character = fc.constantFrom(..."abcXYZ019 .,:/-_ä💩\"'<>&%");

const instant = fc
  .date({ min: new Date(0), max: new Date("2099-01-01"), noInvalidDate: true })
  .map((at) => at.toISOString());

/** Values that a schema accepts. */
export function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: options, anyOf, minItems = 0, maxItems = MOST.items, minimum = -1000, maximum = 1000 } = schema;
  if ("const" in schema) return fc.constant(schema.const);
  if (options !== undefined) return fc.constantFrom(...options);
  if (schema.format === "date-time") return instant;
  if (schema.format === "date") return instant.map((text) => text.slice(0, 10));
  if (anyOf !== undefined)
    return fc.oneof(...anyOf.map((one) => arbitraryOf({ ...(type !== undefined && { type }), ...one })));
  switch (type) {
    case "string":
      return textOf(schema);
    case "integer":
      return fc.integer({ min: minimum, max: maximum });
    case "number":
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, MOST.items)),
      });
    case "object":
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textOf({ minLength = 0, maxLength = MOST.text, pattern }: JsonSchema): fc.Arbitrary<string> {
  const fits = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
  const most = Math.max(minLength, Math.min(maxLength, MOST.text));
  const plain = fc.string({ unit: character, minLength, maxLength: most }).filter(fits);
  if (pattern === undefined) return plain;
  const regex = new RegExp(pattern, "u");
  return fc.oneof(
    fc.stringMatching(regex, { maxLength: most }).filter((text) => fits(text) && text.isWellFormed()),
    plain.filter((text) => regex.test(text)),
  );
}

function objectOf({ properties = {}, required = [], ...schema }: JsonSchema): fc.Arbitrary<object> {
  const named = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, arbitraryOf(inner)]));
  const own = fc.record(named, { requiredKeys: [...required] });
  const { additionalProperties, propertyNames = {}, maxProperties = MOST.items } = schema;
  if (typeof additionalProperties !== "object") return own;
  const others = fc.dictionary(
    textOf({ ...propertyNames, minLength: propertyNames.minLength ?? 1 }),
    arbitraryOf(additionalProperties),
    {
      maxKeys: Math.min(maxProperties, MOST.items),
    },
  );
  return fc.tuple(own, others).map(([known, more]) => ({ ...more, ...known }));
}

/** Values of the schema's kind of which exactly one field does not fit; a schema without fields has none but `null`. */
export function misfitsOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const made = Object.entries(properties).flatMap(([name, inner]) => {
    const bad = unfit(inner);
    return bad === undefined
      ? []
      : [fc.tuple(objectOf(schema), bad).map(([fitting, value]) => ({ ...fitting, [name]: value }))];
  });
  const lacking = required.map((name) =>
    objectOf(schema).map((fitting) => Object.fromEntries(Object.entries(fitting).filter(([key]) => key !== name))),
  );
  return fc.oneof(fc.constant(null), ...made, ...lacking);
}

/** Values that a schema refuses; undefined: it takes everything. */
function unfit(schema: JsonSchema): fc.Arbitrary<unknown> | undefined {
  const { type, enum: options, maxLength, minLength = 0, pattern, maxItems } = schema;
  if (options !== undefined) return fc.constantFrom("none of these", 17.5);
  const kinds: { readonly [kind: string]: readonly unknown[] } = {
    string: [17, true, {}, []],
    integer: ["1", 1.5, true, {}],
    number: ["1", true, {}, []],
    boolean: ["true", 1, {}],
    array: [{}, "a", 3],
    object: [[], "a", 3, true],
  };
  const values = [...(typeof type === "string" ? (kinds[type] ?? []) : [])];
  if (type === "string" && maxLength !== undefined && maxLength < 100_000) values.push("x".repeat(maxLength + 1));
  if (type === "string" && minLength > 0) values.push("");
  if (type === "string") values.push("a\u0000b", "\ud800");
  if (pattern !== undefined && !new RegExp(pattern, "u").test("\n ~~")) values.push("\n ~~");
  if (schema.minimum !== undefined) values.push(schema.minimum - 1);
  if (schema.maximum !== undefined) values.push(schema.maximum + 1);
  if (maxItems !== undefined && maxItems < 1000) values.push(Array.from({ length: maxItems + 1 }, () => "a"));
  return values.length === 0 ? undefined : fc.constantFrom(...values);
}
