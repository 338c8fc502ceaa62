import { A2AError } from "../error/index.ts";
import { isNestedDeeperThan } from "./json-depth.ts";

/** Deepest nesting of a request body (ruling S7). */
export const MAX_JSON_DEPTH = 64;

/**
 * Parses a JSON text of bounded nesting. Keys named `__proto__` are dropped, so that no later copy of the value by
 * assignment can reach a prototype. Throws `A2AError`: PARSE_ERROR for what is not JSON, INVALID_REQUEST beyond the
 * depth.
 */
export function parseJson(text: string, maxDepth = MAX_JSON_DEPTH): unknown {
  if (isNestedDeeperThan(text, maxDepth)) {
    throw new A2AError("INVALID_REQUEST", `The body is nested deeper than ${maxDepth} levels`);
  }
  try {
    // The key can be spelled with \u escapes, so any escaped underscore counts as a suspicion.
    const suspicious = text.includes("__proto__") || /\\u005f/i.test(text);
    return suspicious ? JSON.parse(text, withoutPrototypeKeys) : JSON.parse(text);
  } catch (cause) {
    throw new A2AError("PARSE_ERROR", undefined, { cause });
  }
}

function withoutPrototypeKeys(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}
