/** Operations called with one object of arguments, as callers have it that send no HTTP of their own. */
import { type JsonObject, jsonSchemaOf } from "../json-schema/index.ts";
import { Problem } from "../problem/index.ts";
import { namesOf, type RawRequest, type RouteDefinition } from "../route/index.ts";

/** Of a POST: what makes its repetition the same request. */
const KEY = "idempotency_key";
/** An address that is never looked up: only its path and query are read. */
const ORIGIN = "http://operation.invalid";

/** The arguments of an operation as a JSON Schema: parts of its path, its query's parameters, and `body`. */
export function operationInput({ path, params = {}, query, body, bodyOptional, ...rest }: RouteDefinition): JsonObject {
  const inPath = namesOf(path);
  const asked = query === undefined ? {} : (jsonSchemaOf(query, "input") as ObjectSchema);
  const properties = {
    ...Object.fromEntries(
      inPath.map((name) => [name, { type: "string", ...(params[name] && { description: params[name] }) }]),
    ),
    ...asked.properties,
    ...(body && { body: jsonSchemaOf(body, "input") }),
    ...(takesKey(rest) && {
      [KEY]: { type: "string", minLength: 1, maxLength: 255, description: "A repetition under it is done once." },
    }),
  };
  const required = [
    ...inPath,
    ...(asked.required ?? []),
    ...(body !== undefined && bodyOptional !== true ? ["body"] : []),
  ];
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

interface ObjectSchema {
  readonly properties?: JsonObject;
  readonly required?: readonly string[];
}

/**
 * The request of an operation with these arguments. What they hold is validated where the operation is served; here only
 * that each has its place. @throws Problem 422
 */
export function operationRequest(
  definition: RouteDefinition,
  args: { readonly [name: string]: unknown },
  signal: AbortSignal,
): Pick<RawRequest, "request" | "param"> {
  const { path, method, query, body } = definition;
  const inPath = namesOf(path);
  const asked = query === undefined ? [] : Object.keys((jsonSchemaOf(query, "input") as ObjectSchema).properties ?? {});
  const known = [...inPath, ...asked, ...(body === undefined ? [] : ["body"]), ...(takesKey(definition) ? [KEY] : [])];
  const stranger = Object.keys(args).find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw misfit(stranger.slice(0, 100), `There is no such argument; there are: ${known.join(", ") || "none"}.`);
  const search = new URLSearchParams(
    asked.flatMap((name) => textsOf(args[name], name).map((text): [string, string] => [name, text])),
  );
  const part = (name: string): string => textsOf(args[name], name)[0] ?? "";
  const filled = inPath.reduce((url, name) => url.replace(`{${name}}`, encodeURIComponent(part(name))), path as string);
  const key = takesKey(definition) ? textsOf(args[KEY], KEY)[0] : undefined;
  if (key !== undefined && !/^[\x20-\x7e]+$/.test(key)) throw misfit(KEY, "Expected printable ASCII.");
  return {
    request: new Request(`${ORIGIN}${filled}${search.size === 0 ? "" : `?${search}`}`, {
      method,
      signal,
      headers: { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) },
      ...(args.body !== undefined && body !== undefined && { body: JSON.stringify(args.body) }),
    }),
    param: (name) => (inPath.includes(name) ? part(name) : undefined),
  };
}

function takesKey({ method, idempotency }: Pick<RouteDefinition, "method" | "idempotency">): boolean {
  return method === "POST" && idempotency !== "status-only";
}

/** What a query or a path holds of a value: texts. */
function textsOf(value: unknown, name: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textsOf(one, name));
  if (typeof value === "string" && !value.isWellFormed()) throw misfit(name, "Expected well-formed text.");
  if (typeof value === "object") throw misfit(name, "Expected a text, a number or a boolean.");
  return [String(value as string | number | boolean)];
}

function misfit(name: string, msg: string): Problem {
  return new Problem(422, [{ loc: ["arguments", name], msg, type: "argument" }]);
}
