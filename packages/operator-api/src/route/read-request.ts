import { Problem } from "../problem/index.ts";
import { type Call, type Decider, namesOf, type RouteDefinition } from "./route-definition.ts";
import { validate } from "./validate.ts";

/** Parses a JSON text within bounds (S7); the message names no part of the text. */
export type ReadJson = (text: string) =>
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly message: string;
      /** Where the value, which is JSON, holds a text that cannot be stored; absent: it is no JSON, or beyond a bound. */
      readonly path?: readonly (string | number)[] | undefined;
    };

/** A request as it came. */
export interface RawRequest extends Partial<Decider> {
  readonly request: Request;
  readonly caller: Call["caller"];
  /** The decoded value of a name in the path's braces. */
  param(name: string): string | undefined;
}

/** Characters of a key that a refusal names. */
const MAX_KEY = 100;
/** Longest value of a path's part, in characters. */
export const MAX_PARAM = 512;

/**
 * Validates a request (O2). `text` is its body as sent, undefined for none. What is wrong is refused before a
 * handler runs: 415 for a body that is not JSON, 400 for text that does not parse, 422 for values that do not fit.
 */
export function readCall(
  definition: RouteDefinition,
  raw: RawRequest,
  text: string | undefined,
  readJson: ReadJson,
): Call {
  if (text && !isJson(raw.request.headers.get("content-type"))) {
    const { upload } = definition;
    const others = [upload?.alone, upload && "multipart/form-data"].flatMap((type) => (type ? `, or ${type}` : []));
    throw new Problem(415, `The body must be JSON: send Content-Type: application/json${others.join("")}.`);
  }
  return callOf(definition, raw, () => readBody(definition, text, readJson));
}

/** Validates a request whose body came as fields. */
export function readFields(
  definition: RouteDefinition,
  raw: RawRequest,
  fields: { readonly [name: string]: string },
): Call {
  const [name] = Object.entries(fields).find(([, value]) => !value.isWellFormed() || value.includes("\0")) ?? [];
  const msg = "Expected text without NUL characters and halves of surrogate pairs.";
  if (name !== undefined)
    throw new Problem(422, [{ loc: ["body", name.slice(0, MAX_KEY)], msg, type: "unstorable_text" }]);
  return callOf(definition, raw, () => fields);
}

function callOf(definition: RouteDefinition, raw: RawRequest, sent: () => unknown): Call {
  const { request, caller } = raw;
  const { query, body } = definition;
  return {
    params: readParams(definition.path, raw),
    query:
      query === undefined ? undefined : validate(query, queryOf(request.url, definition.namesFiles === true), "query"),
    body: body === undefined ? undefined : validate(body, sent(), "body"),
    signal: request.signal,
    headers: request.headers,
    caller,
    refuseDecision: async () => raw.refuseDecision?.(),
  };
}

function readParams(path: string, raw: RawRequest): { readonly [name: string]: string } {
  return Object.fromEntries(
    namesOf(path).map((name) => {
      const value = raw.param(name);
      if (value === undefined || value === "" || value.length > MAX_PARAM || !isText(value)) {
        const msg = `Expected 1 to ${MAX_PARAM} characters, none a control.`;
        throw new Problem(422, [{ loc: ["path", name], msg, type: "string" }]);
      }
      return [name, value];
    }),
  );
}

/** Strings by name; a name that occurs twice is a list, so that a schema for one refuses it. */
function queryOf(url: string, namesFiles: boolean): { readonly [name: string]: string | readonly string[] } {
  const start = url.indexOf("?");
  if (start === -1) return {};
  const sent = new URLSearchParams(url.slice(start));
  return Object.fromEntries(
    [...new Set(sent.keys())].map((name) => {
      const values = sent.getAll(name);
      if (!namesFiles && !values.every(isText)) {
        const msg = "Expected text without control characters.";
        throw new Problem(422, [{ loc: ["query", name.slice(0, 100)], msg, type: "string" }]);
      }
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}

function readBody(definition: RouteDefinition, text: string | undefined, readJson: ReadJson): unknown {
  if (!text) {
    if (definition.bodyOptional) return {};
    throw new Problem(422, [{ loc: ["body"], msg: "A JSON body is required.", type: "missing" }]);
  }
  const read = readJson(text);
  if (read.ok) return read.value;
  if (read.path === undefined) throw new Problem(400, read.message);
  const path = read.path.map((part) => (typeof part === "string" ? part.slice(0, MAX_KEY) : part));
  throw new Problem(422, [{ loc: ["body", ...path], msg: read.message, type: "unstorable_text" }]);
}

/** Well-formed text without control characters, which a store or a log could not take. */
function isText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}

function isJson(contentType: string | null): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? "");
}
