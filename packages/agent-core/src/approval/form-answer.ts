/**
 * Answers to a form (A13): a person's reply becomes the values the agent asked for, or a reason that names the field. A
 * schema that cannot be used accepts any object, with a warning: a mistake of the agent must not keep its own question
 * open for ever.
 */
import { checkSchema, type FormStep, type JsonSchema, type SchemaError } from "@agent-service/plugin-sdk";
import { parseJson } from "../json/index.ts";
import { isObject } from "./form-schema.ts";

type Values = { [key: string]: unknown };

/** Values, or why there are none. */
export type FormAnswer =
  | {
      readonly ok: true;
      /**
       * One object of all steps' fields; where two steps share a field's name, a list of one object per step.
       */
      readonly values: unknown;
    }
  | {
      readonly ok: false;
      /** For the person who answered. */
      readonly reason: string;
    };

function propertiesOf(schema: JsonSchema): { [name: string]: unknown } {
  return isObject(schema.properties) ? schema.properties : {};
}

/** True when `properties` alone define the fields, so that a merged answer can be split into steps. */
function isPlain(schema: JsonSchema): boolean {
  return (
    isObject(schema.properties) &&
    !["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties"].some((k) => k in schema)
  );
}

function isStringField(field: unknown): boolean {
  if (!isObject(field)) return false;
  return field.type === "string" || (Array.isArray(field.type) && field.type.includes("string"));
}

/** The one field of the form that a plain text can be the answer to. */
function soleStringField(steps: readonly FormStep[]): { step: number; name: string } | undefined {
  const fields = steps.flatMap(({ schema }, step) =>
    Object.entries(propertiesOf(schema)).map(([name, field]) => ({ step, name, field })),
  );
  const strings = fields.filter(({ field }) => isStringField(field));
  const [sole] = strings;
  return strings.length === 1 && sole !== undefined ? { step: sole.step, name: sole.name } : undefined;
}

/** Sets an own property even when it is named `__proto__`. */
function assign(target: Values, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A copy of `value` with the schema's defaults where it has nothing. */
function withDefaults(schema: JsonSchema, value: Values): Values {
  const filled: Values = { ...value };
  for (const [name, field] of Object.entries(propertiesOf(schema))) {
    if (!isObject(field)) continue;
    const given = Object.hasOwn(filled, name) ? filled[name] : undefined;
    if (given === undefined && Object.hasOwn(field, "default")) assign(filled, name, structuredClone(field.default));
    else if (isObject(given)) assign(filled, name, withDefaults(field, given));
    else if (given === undefined && isObject(field.properties)) {
      const inner = withDefaults(field, {});
      if (Object.keys(inner).length > 0) assign(filled, name, inner);
    }
  }
  return filled;
}

function fieldNames(steps: readonly FormStep[]): string {
  const names = [...new Set(steps.flatMap(({ schema }) => Object.keys(propertiesOf(schema))))];
  return names.length === 0 ? "" : ` with the fields ${names.slice(0, 20).join(", ")}`;
}

/** `#/address/zip` as `address.zip`. */
function pathOf(location: string): string {
  return location
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}

function schemaAt(schema: JsonSchema, location: string): JsonSchema | undefined {
  let at: unknown = schema;
  for (const key of pathOf(location).split(".")) at = isObject(at) ? propertiesOf(at)[key] : undefined;
  return isObject(at) ? at : undefined;
}

/** A sentence naming the field. */
function reasonFor(schema: JsonSchema, error: SchemaError): string {
  const path = pathOf(error.instanceLocation);
  const missing = /required property "(.*)"/.exec(error.error)?.[1];
  if (error.keyword === "required" && missing !== undefined) {
    return `The field ${path === "" ? "" : `${path}.`}${missing} is missing.`;
  }
  const choices = error.keyword === "enum" ? schemaAt(schema, error.instanceLocation)?.enum : undefined;
  if (error.keyword === "false") return `The field ${path} is not asked for.`;
  const text = Array.isArray(choices) ? `must be one of ${choices.slice(0, 20).map(String).join(", ")}.` : error.error;
  return path === "" ? `The answer does not fit: ${text}` : `The field ${path} does not fit: ${text}`;
}

/** Parses a text: JSON, or the value of the form's only text field. */
function readText(steps: readonly FormStep[], text: string): unknown {
  const sole = soleStringField(steps);
  const parsed = parseJson(text.trim());
  if (parsed.ok && (isObject(parsed.value) || Array.isArray(parsed.value))) return parsed.value;
  if (text.trim() === "") return {};
  return sole === undefined ? undefined : { [sole.name]: text };
}

/** The part of a merged answer that belongs to one step. */
function partOf(steps: readonly FormStep[], step: FormStep, merged: Values): Values {
  if (steps.length === 1 || !isPlain(step.schema)) return merged;
  const others = new Set(
    steps.filter((one) => one !== step).flatMap(({ schema }) => Object.keys(propertiesOf(schema))),
  );
  const own = propertiesOf(step.schema);
  return Object.fromEntries(Object.entries(merged).filter(([name]) => Object.hasOwn(own, name) || !others.has(name)));
}

/** One object per step, whatever shape the answer has; `undefined` when it has none of the accepted ones. */
function perStep(steps: readonly FormStep[], answer: unknown): Values[] | undefined {
  if (isObject(answer)) return steps.map((step) => partOf(steps, step, answer));
  if (!Array.isArray(answer) || answer.length !== steps.length || !answer.every(isObject)) return undefined;
  return answer;
}

function sharesFields(steps: readonly FormStep[]): boolean {
  const names = steps.flatMap(({ schema }) => Object.keys(propertiesOf(schema)));
  return new Set(names).size !== names.length;
}

/**
 * Reads the answer to a form. `answer` is data (an object of the fields of all steps, or a list of one object per step)
 * or a text (the same as JSON, or the value itself when the form has exactly one text field). Defaults fill in for what
 * was left out. Never throws. `warn` is called for a schema that could not be used.
 */
export function readFormAnswer(
  formSteps: readonly FormStep[],
  answer: unknown,
  warn: (message: string) => void = () => {},
): FormAnswer {
  // A tool written in JavaScript may have parked with anything.
  const steps = formSteps.map((step) => (isObject(step?.schema) ? step : { schema: {} }));
  const given = typeof answer === "string" ? readText(steps, answer) : answer;
  const parts = given === undefined ? undefined : perStep(steps, given);
  if (parts === undefined) {
    const list = steps.length === 1 ? "" : `, or a list of ${steps.length} objects, one for each step`;
    return { ok: false, reason: `The answer must be a JSON object${fieldNames(steps)}${list}.` };
  }
  const filled: Values[] = [];
  for (const [index, { schema }] of steps.entries()) {
    const values = withDefaults(schema, parts[index]!);
    const verdict = checkSchema(schema, values);
    if (verdict.kind === "invalid") {
      const where = steps.length === 1 ? "" : `Step ${index + 1}: `;
      return { ok: false, reason: `${where}${reasonFor(schema, verdict.errors.at(-1)!)}` };
    }
    if (verdict.kind === "broken") {
      warn(`step ${index + 1} of a form has a schema that cannot be used, any object is accepted: ${verdict.problem}`);
    }
    filled.push(values);
  }
  if (steps.length > 1 && sharesFields(steps)) return { ok: true, values: filled };
  const merged: Values = {};
  for (const values of filled) for (const [name, value] of Object.entries(values)) assign(merged, name, value);
  return { ok: true, values: merged };
}
