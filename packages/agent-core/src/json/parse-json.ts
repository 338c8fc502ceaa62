/** Reading JSON that someone else wrote: bounded, and without surprises for whoever copies its properties (S7). */

export interface JsonLimits {
  /** Most characters of text. */
  readonly maxLength: number;
  /** Most arrays and objects inside one another. */
  readonly maxDepth: number;
  /** Most values, the whole and everything in it: parsing takes time by their number, and nothing else runs meanwhile. */
  readonly maxValues: number;
}

/**
 * The bounds for what a model or a person writes: a million characters, S7's depth of 64, and as many values as
 * are parsed in a few hundredths of a second.
 */
export const JSON_LIMITS: JsonLimits = Object.freeze({ maxLength: 1024 * 1024, maxDepth: 64, maxValues: 100_000 });

export type JsonFailureCode =
  | "json.too-long"
  | "json.too-deep"
  | "json.too-many"
  | "json.syntax"
  | "json.forbidden-key";

/** The value, or a message of what is wrong that names no internals. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: JsonFailureCode; readonly message: string };

/** The limit that a JSON text breaks, without building anything; stops at the first. */
function brokenLimit(text: string, { maxDepth, maxValues }: JsonLimits): "json.too-deep" | "json.too-many" | undefined {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      for (i++; i < text.length; i++) {
        const inner = text.charCodeAt(i);
        if (inner === 0x5c) i++;
        else if (inner === 0x22) break;
      }
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return "json.too-deep";
      if (++values > maxValues) return "json.too-many";
    } else if (code === 0x2c) {
      if (++values > maxValues) return "json.too-many";
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return undefined;
}

/** `__proto__` as an own property: harmless here, a prototype change for whoever assigns it onward. */
function holdsProto(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsProto);
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(holdsProto);
}

/**
 * Parses `text` within `limits`. Never throws: too long, too deep, too many values, not JSON, or a property named `__proto__` come back
 * as a failure with a stable code.
 */
export function parseJson(text: string, limits: JsonLimits = JSON_LIMITS): ParsedJson {
  if (text.length > limits.maxLength) {
    const message = `the JSON is ${text.length} characters long; at most ${limits.maxLength} are accepted`;
    return { ok: false, code: "json.too-long", message };
  }
  const broken = brokenLimit(text, limits);
  if (broken !== undefined) {
    const deep = `the JSON nests more than ${limits.maxDepth} levels deep`;
    const many = `the JSON holds more than ${limits.maxValues} values`;
    return { ok: false, code: broken, message: broken === "json.too-deep" ? deep : many };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, code: "json.syntax", message: `not valid JSON: ${(error as SyntaxError).message}` };
  }
  // An escaped spelling holds a backslash; most texts hold neither and are not walked.
  if ((text.includes("__proto__") || text.includes("\\u")) && holdsProto(value)) {
    return { ok: false, code: "json.forbidden-key", message: 'a property named "__proto__" is not accepted' };
  }
  return { ok: true, value };
}
