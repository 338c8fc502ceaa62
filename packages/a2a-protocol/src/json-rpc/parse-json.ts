import { A2AError } from "../error/index.ts";
import { brokenBound, type JsonBounds } from "./json-extent.ts";

/** Bounds of a request body: S7's depth, and as many values as are parsed in a few hundredths of a second. */
export const JSON_BOUNDS: JsonBounds = Object.freeze({ depth: 64, values: 100_000 });

/**
 * Parses a JSON text of bounded extent. Keys named `__proto__` are dropped, so that no later copy of the value by
 * assignment can reach a prototype. Throws `A2AError`: PARSE_ERROR for what is not JSON, INVALID_REQUEST beyond the
 * bounds.
 */
export function parseJson(text: string, bounds = JSON_BOUNDS): unknown {
  const broken = brokenBound(text, bounds);
  if (broken !== undefined) throw new A2AError("INVALID_REQUEST", excessText(broken, bounds));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new A2AError("PARSE_ERROR", undefined, { cause });
  }
  // The key can be spelled with \u escapes, so any escaped underscore counts as a suspicion.
  if (text.includes("__proto__") || /\\u005f/i.test(text)) dropPrototypeKeys(value);
  return value;
}

function excessText(broken: keyof JsonBounds, { depth, values }: JsonBounds): string {
  return broken === "depth"
    ? `The body is nested deeper than ${depth} levels`
    : `The body holds more than ${values} values`;
}

function dropPrototypeKeys(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  for (const each of Object.values(value)) dropPrototypeKeys(each);
}
