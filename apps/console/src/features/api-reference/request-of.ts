import { shellArgument } from "../../api/index.ts";
import type { JsonObject, Operation, Parameter } from "./read-reference.ts";

/** What a person entered for an operation. */
export interface Entered {
  /** By the key of each parameter. */
  readonly values: { readonly [key: string]: string };
  /** JSON; undefined: the operation has none. */
  readonly body: string | undefined;
}

/** A request as it is sent, to the service that serves the page. */
export interface TriedRequest {
  readonly method: string;
  /** From the service's root, with its query: `/api/tasks?limit=5`. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | undefined;
}

/** Distinguishes parameters of one name in different places. */
export function keyOf({ where, name }: Pick<Parameter, "where" | "name">): string {
  return `${where} ${name}`;
}

/** What is entered at first: required values with a known example or choice, and a body to begin from. */
export function startOf({ parameters, body }: Operation): Entered {
  const defaults = parameters.flatMap((parameter) => {
    const [choice] = parameter.required && Array.isArray(parameter.schema.enum) ? parameter.schema.enum : [];
    return typeof choice === "string" ? [[keyOf(parameter), choice] as const] : [];
  });
  const values = Object.fromEntries(defaults);
  if (body === undefined) return { values, body: undefined };
  return { values, body: JSON.stringify(body.example ?? emptyValue(body.schema), null, 2) };
}

/** The request; parameters that are still missing appear in it as `{name}`. */
export function requestOf({ method, path, parameters }: Operation, { values, body }: Entered): TriedRequest {
  const enteredIn = (parameter: Parameter): string => values[keyOf(parameter)]?.trim().toWellFormed() ?? "";
  const at = (where: string): readonly Parameter[] => parameters.filter((one) => one.where === where);
  const address = at("path").reduce((text, parameter) => {
    const value = enteredIn(parameter);
    return value === "" ? text : text.replace(`{${parameter.name}}`, encodeURIComponent(value));
  }, path);
  const query = at("query")
    .filter((parameter) => parameter.required || enteredIn(parameter) !== "")
    .map((parameter) => `${encodeURIComponent(parameter.name)}=${encodeURIComponent(enteredIn(parameter))}`);
  const headers = at("header")
    .filter((parameter) => enteredIn(parameter) !== "")
    .map((parameter) => [parameter.name, enteredIn(parameter)] as const);
  return {
    method,
    path: query.length === 0 ? address : `${address}?${query.join("&")}`,
    headers: { ...Object.fromEntries(headers), ...(body !== undefined && { "Content-Type": "application/json" }) },
    // As it was written: read and written again, a long number is another one.
    body: body?.trim(),
  };
}

/** What keeps a request from being sent, by key of the parameter; `body` for the body. */
export function problemsOf({ parameters }: Operation, { values, body }: Entered): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  for (const parameter of parameters) {
    const value = values[keyOf(parameter)]?.trim() ?? "";
    if (parameter.required && value === "") problems.set(keyOf(parameter), "Enter a value.");
    // A URL reads them as steps: the request would go to another address.
    else if (parameter.where === "path" && (value === "." || value === ".."))
      problems.set(keyOf(parameter), "A dot alone cannot be part of an address.");
    else if (!value.isWellFormed()) problems.set(keyOf(parameter), "Half of a character is missing.");
    else if (parameter.where === "header" && /[^\t\x20-\x7e\x80-\xff]/.test(value))
      problems.set(keyOf(parameter), "A header cannot hold these characters.");
  }
  if (body !== undefined && body.trim() !== "") {
    try {
      JSON.parse(body);
    } catch (error) {
      problems.set("body", `This is not JSON: ${error instanceof Error ? error.message : "it cannot be read."}`);
    }
  }
  return problems;
}

/** The request as a shell command. The token is a variable: the command may be pasted anywhere. */
export function curlOf({ method, path, headers, body }: TriedRequest, root: string): string {
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${shellArgument(`${root}${path}`)}`,
    '-H "Authorization: Bearer $A2A_AUTH_TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${shellArgument(`${name}: ${value}`)}`),
    ...(body === undefined || body === "" ? [] : [`-d ${shellArgument(body)}`]),
  ].join(" \\\n  ");
}

/** The required parts of a schema with empty values, to fill in. */
function emptyValue(schema: JsonObject): unknown {
  const { type, required, properties, const: only, enum: choices, default: fallback } = schema;
  if (only !== undefined) return only;
  if (fallback !== undefined) return fallback;
  if (Array.isArray(choices)) return choices[0];
  if (type === "string") return "";
  if (type === "array") return [];
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return 0;
  const fields = (properties ?? {}) as { readonly [name: string]: JsonObject };
  const names = Array.isArray(required) ? (required as readonly string[]) : [];
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, emptyValue(fields[name])]] : [])));
}
