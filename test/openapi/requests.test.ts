/**
 * Requests made of our own OpenAPI document, as a stranger's generator makes them (O2): what the document allows is
 * not refused as ill-formed, what it does not allow is, and every answer is one that it describes.
 */

import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../../apps/server/src/testing/test-service.ts";
import { operatorDefinitions } from "../../packages/operator-api/src/index.ts";
import { arbitraryOf, type JsonSchema, misfitsOf } from "./schema-values.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: JsonSchema;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly "application/json": { readonly schema: JsonSchema } };
  };
  readonly responses: { readonly [status: string]: Described };
}
interface Described {
  readonly $ref?: string;
  readonly content?: { readonly [type: string]: { readonly schema: object } };
}
interface Document {
  readonly components: { readonly responses: { readonly [name: string]: Described } };
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
}
/** What a request is made of. */
interface Made {
  readonly path: { readonly [name: string]: unknown };
  readonly query: { readonly [name: string]: unknown };
  readonly body: unknown;
}

const RUNS = Number(process.env.OPENAPI_RUNS ?? 6);
let running: TestService;
let document: Document;
beforeAll(async () => {
  running = await startTestService({ config: 'model: {name: "main:demo"}\nproviders: [{id: main, type: scripted}]\n' });
  document = (await (await fetch(`${running.url}/api/openapi.json`)).json()) as Document;
});
afterAll(() => running.stop());

function operationOf(name: string): { path: string; method: string; operation: Operation } {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.operationId === name) return { path, method: method.toUpperCase(), operation };
  throw new Error(`${name} is in no document`);
}

/** Values by name; what is optional is there or not. A cursor is its list's own. */
function valuesOf(parameters: readonly Parameter[], place: "path" | "query"): fc.Arbitrary<Made["path"]> {
  const own = parameters.filter((one) => one.in === place && one.schema.format !== "opaque");
  // A client makes another path of one with dots for a segment before it sends it.
  const isSent = (value: unknown): boolean => place !== "path" || !/^\.{1,2}$/.test(String(value));
  const entries = own.map(({ name, schema }) => [name, arbitraryOf(schema).filter(isSent)] as const);
  return fc.record(Object.fromEntries(entries), {
    requiredKeys: own.filter(({ required }) => required).map(({ name }) => name),
  });
}

async function send(path: string, method: string, made: Made): Promise<{ status: number; text: string; type: string }> {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(made.path[name])));
  const query = Object.entries(made.query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const left = new AbortController();
  const response = await fetch(`${running.url}${place}${query.length === 0 ? "" : `?${query.join("&")}`}`, {
    method,
    signal: left.signal,
    ...(made.body === undefined
      ? {}
      : { body: JSON.stringify(made.body), headers: { "content-type": "application/json" } }),
  });
  const type = response.headers.get("content-type") ?? "";
  // A stream has no end of its own.
  const text = type.startsWith("text/event-stream") ? "" : await response.text();
  left.abort();
  return { status: response.status, text, type };
}

/** Checks a response against the document. */
function expectDescribed(operation: Operation, { status, text, type }: Awaited<ReturnType<typeof send>>): void {
  const what = `${operation.operationId}: ${status} ${text.slice(0, 300)}`;
  const documented = operation.responses[status];
  expect(documented, what).toBeDefined();
  const { components } = document;
  const described =
    documented?.$ref === undefined ? documented : components.responses[documented.$ref.split("/").at(-1) ?? ""];
  const schema = described?.content?.["application/json"]?.schema;
  if (schema === undefined || !type.startsWith("application/json")) return;
  const { valid, errors } = new Validator({ ...schema, components } as Schema, "2020-12").validate(JSON.parse(text));
  expect(valid ? [] : errors, what).toEqual([]);
}

const names = operatorDefinitions.map(({ name }) => name).filter((name) => !/^(?:tasks\.init|unbuilt)/.test(name));

it.each(names)("%s behaves as documented", async (name) => {
  const found = Object.values(document.paths).some((methods) =>
    Object.values(methods).some(({ operationId }) => operationId === name),
  );
  if (!found) return;
  const { path, method, operation } = operationOf(name);
  const { parameters = [], requestBody } = operation;
  const body = requestBody?.content["application/json"].schema;
  const fitting = fc.record({
    path: valuesOf(parameters, "path"),
    query: valuesOf(parameters, "query"),
    body: body === undefined ? fc.constant(undefined) : arbitraryOf(body),
  });
  await fc.assert(
    fc.asyncProperty(fitting, async (made) => {
      const answer = await send(path, method, made);
      expectDescribed(operation, answer);
      // 422 is for what the document can express. Bounds between two values have `type: range`, and what a text has to be
      // that describes servers, or what fields of them belong together, `type: mcp`.
      const isBeyondIt = answer.status === 422 && /"type":"(?:range|mcp)"/.test(answer.text);
      if (!isBeyondIt)
        expect(answer.status, `${JSON.stringify(made).slice(0, 500)} ${answer.text.slice(0, 300)}`).not.toBe(422);
    }),
    { numRuns: RUNS },
  );
  if (body === undefined) return;
  const wrong = fc.tuple(fitting, fc.oneof(fc.constantFrom([], 1, "a", true, null), misfitsOf(body)));
  await fc.assert(
    fc.asyncProperty(wrong, async ([made, instead]) => {
      const answer = await send(path, method, { ...made, body: instead });
      expectDescribed(operation, answer);
      // Some values are a 400 by the contract, such as an unknown priority; the document of such a route states that.
      expect([400, 422], `${JSON.stringify(instead).slice(0, 500)} ${answer.text.slice(0, 300)}`).toContain(
        answer.status,
      );
    }),
    { numRuns: RUNS },
  );
});
