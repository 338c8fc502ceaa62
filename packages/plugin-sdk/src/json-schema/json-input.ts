import { type Schema, Validator } from "@cfworker/json-schema";
import * as v from "valibot";
import { draftOf, type JsonSchema } from "./check-schema.ts";
import { openSchema } from "./open-schema.ts";
import { withinTime } from "./within-time.ts";

/** Milliseconds that checking one call's arguments may hold the process up. */
const CHECK_MS = 100;
/** Characters of the schema times those of the arguments, up to which no time limit is needed. */
const SMALL = 10_000_000;

/** Arguments of a tool whose schema somebody else wrote. */
export type JsonObject = { readonly [key: string]: unknown };

type Finding = ReturnType<Validator["validate"]>["errors"][number];

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A tool's `input` from a JSON Schema that somebody else wrote (2020-12; draft 4, 7 or 2019-09 where `$schema` names it).
 * The model is shown this schema as it is, arguments are checked by it, and `run` receives them as they were written: no
 * default is filled in, nothing is dropped.
 *
 * The schema is not trusted. Its regular expressions (`pattern`, `patternProperties`) are not executed, no reference is
 * followed out of it, and what is malformed or more than 64 schemas deep accepts everything: a value is refused only if
 * the whole schema would refuse it. `format` is an annotation. Arguments that cannot be checked within 100 ms, because the
 * schema refers to itself without end for example, are refused.
 *
 * @throws TypeError for what is no JSON object
 */
export function jsonInput(schema: JsonSchema): v.GenericSchema<unknown, JsonObject> {
  const jsonSchema = copyOf(schema);
  let check: ((value: JsonObject) => readonly Finding[]) | undefined;
  return v.pipe(
    v.custom<JsonObject>(isObject, "expected a JSON object"),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      check ??= checkerOf(jsonSchema);
      for (const { message, keys } of problemsOf(check, dataset.value)) {
        const path = keys.map((key) => ({
          type: "unknown" as const,
          origin: "value" as const,
          input: 0,
          key,
          value: 0,
        }));
        const [first, ...rest] = path;
        addIssue({ message, ...(first === undefined ? {} : { path: [first, ...rest] }) });
      }
    }),
    v.metadata({ jsonSchema }),
  );
}

/** The schema that `jsonInput` was given; undefined: the input is an ordinary one. */
export function jsonSchemaOf(input: v.GenericSchema): JsonSchema | undefined {
  const { jsonSchema } = v.getMetadata(input) as { readonly jsonSchema?: unknown };
  return isObject(jsonSchema) ? jsonSchema : undefined;
}

function copyOf(schema: JsonSchema): JsonSchema {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(schema) ?? "null");
  } catch (error) {
    throw new TypeError("the schema cannot be written as JSON", { cause: error });
  }
  if (!isObject(copy)) throw new TypeError("a tool's schema must be a JSON object");
  return copy;
}

function checkerOf(jsonSchema: JsonSchema): (value: JsonObject) => readonly Finding[] {
  const { schema, canMultiply } = openSchema(jsonSchema);
  const chars = JSON.stringify(schema).length;
  const validator = new Validator(schema as Schema, draftOf(jsonSchema), false);
  return (value) => {
    const isSmall = !canMultiply && chars * JSON.stringify(value).length <= SMALL;
    const { errors } = isSmall ? validator.validate(value) : withinTime(CHECK_MS, () => validator.validate(value));
    return errors;
  };
}

interface Problem {
  readonly message: string;
  readonly keys: readonly string[];
}

function problemsOf(check: (value: JsonObject) => readonly Finding[], value: JsonObject): readonly Problem[] {
  try {
    const all = check(value);
    return all.filter((one, index) => isInnermost(one, all[index + 1])).map(problemOf);
  } catch {
    return [
      { message: "they cannot be checked: the tool's schema refers to itself without end or takes too long", keys: [] },
    ];
  }
}

/** An error is followed by those within it. */
function isInnermost({ keyword, keywordLocation }: Finding, next: Finding | undefined): boolean {
  if (keyword === "false") return false;
  return next === undefined || next.keyword === "false" || !next.keywordLocation.startsWith(`${keywordLocation}/`);
}

function problemOf({ keyword, instanceLocation, error }: Finding): Problem {
  const keys = instanceLocation
    .split("/")
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  const missing = keyword === "required" ? /required property "(.*)"/s.exec(error)?.[1] : undefined;
  return missing === undefined ? { message: error, keys } : { message: "is missing", keys: [...keys, missing] };
}
