/** Answers of 0.3 held against the JSON schema of A2A 0.3.0. */
import { readFileSync } from "node:fs";
import { type Schema, Validator } from "@cfworker/json-schema";

const schema = JSON.parse(readFileSync(new URL("./a2a-0.3.0.schema.json", import.meta.url), "utf8")) as Schema;

/** Where a value does not fit a definition of the schema; empty where it fits. */
export function misfits03(definition: string, value: unknown): readonly string[] {
  if (schema.definitions?.[definition] === undefined) throw new Error(`0.3 defines no ${definition}`);
  const validator = new Validator({ ...schema, $ref: `#/definitions/${definition}` }, "7", false);
  return validator.validate(value).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}
