import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createOperatorApi } from "./create-operator-api.ts";
import {
  EVENT_TOPICS,
  type OperatorServices,
  operatorDefinitions,
  operatorResources,
  unbuiltDefinitions,
} from "./operator-resources.ts";
import type { AnyResource } from "./resource/index.ts";
import type { RouteDefinition } from "./route/index.ts";

const definitions: readonly RouteDefinition[] = [...operatorDefinitions, ...unbuiltDefinitions];

const notAsked = (): never => {
  throw new Error("not asked");
};

const features = () => {
  const built = operatorResources.filter(({ name, unbuilt }) => unbuilt === undefined && name !== "workflows");
  return Object.fromEntries(built.flatMap(({ feature }) => (feature === undefined ? [] : [[feature, true]])));
};

/** A service for every resource that takes one; only what is read while the API is made answers. */
function services(): OperatorServices {
  const service = new Proxy(
    { enabled: () => true, csvHead: "" },
    { get: (known, name) => Reflect.get(known, name) ?? notAsked },
  );
  const served = (operatorResources as readonly AnyResource[]).filter(({ routes }) => routes !== undefined);
  return Object.fromEntries(served.map(({ name }) => [name, service])) as unknown as OperatorServices;
}

const api = createOperatorApi({
  features,
  version: "1.2.3",
  readJson: () => ({ ok: true, value: {} }),
  redact: (text) => text,
  services: services(),
});

async function get(path: string): Promise<Record<string, unknown>> {
  const row = api.find((one) => one.path === path)!;
  const response = await row.handle({
    request: new Request(`http://h${path}`),
    caller: "operator",
    param: () => undefined,
  });
  return (await response.json()) as Record<string, unknown>;
}

it("serves every definition once, under names that are its own", () => {
  const all = definitions.map(({ method, path }) => `${method} ${path}`);
  expect(api.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(all.toSorted());
  const names = definitions.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  // What is served is no longer among what is not built.
  expect(new Set(all).size).toBe(all.length);
});

it("has every resource of the package in its list", () => {
  const defined = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => /\/(?:resource|index)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(
        /^export const \w+ = defineResource\(\{\s+name: "(\w+)"/gm,
      ),
    ])
    .map(([, name]) => String(name));
  expect(operatorResources.map(({ name }) => name).toSorted()).toEqual(defined.toSorted());
});

it("documents each topic once", async () => {
  const topics = EVENT_TOPICS.map(({ topic }) => topic);
  expect(new Set(topics).size).toBe(topics.length);
  const { paths } = (await get("/api/openapi.json")) as { paths: { "/api/events": { get: { description: string } } } };
  for (const topic of topics) expect(paths["/api/events"].get.description).toContain(`| \`${topic}\` |`);
});

it("answers every route that is not built as O4 requires, and reads change nothing", async () => {
  const call = { request: new Request("http://h/"), caller: "operator", param: () => "x" } as const;
  for (const { method, path, reply, failures } of unbuiltDefinitions) {
    const row = api.find((one) => one.method === method && one.path === path)!;
    const response = await row.handle({ ...call, request: new Request("http://h/", { method }) });
    const body = await response.json();
    if (failures?.[503])
      expect([response.status, body]).toEqual([503, { detail: expect.stringContaining("does not have it") }]);
    else if (failures?.[404]) expect([response.status, body]).toEqual([404, { detail: { code: "disabled" } }]);
    else
      expect([response.status, body, reply.kind]).toEqual([
        200,
        expect.objectContaining({ enabled: false, next_cursor: null }),
        "json",
      ]);
    expect(response.status !== 503 && method !== "GET").toBe(false);
  }
});

it("lists what it serves", async () => {
  const { operations } = (await get("/api/operations")) as { operations: { name: string; mutates: boolean }[] };
  expect(operations.map(({ name }) => name)).toEqual(definitions.map(({ name }) => name).toSorted());
});

it("describes what it serves: security, errors, every operation", async () => {
  const document = await get("/api/openapi.json");
  expect(document).toMatchObject({
    openapi: "3.1.0",
    info: { version: "1.2.3" },
    security: [{ bearer: [] }, { apiKey: [] }],
    paths: {
      "/api/runtime/status": {
        get: {
          operationId: "runtime.status",
          responses: { 200: { content: { "application/json": { schema: { type: "object" } } } }, 401: {}, 500: {} },
        },
      },
    },
  });
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) =>
    path!.split("/"),
  );
  for (const path of references) {
    expect(path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)).toBeDefined();
  }
});

it("is a document that the schema of OpenAPI 3.1 accepts", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(await get("/api/openapi.json"));
  expect([valid, errors, validator.version]).toEqual([true, undefined, "3.1"]);
});

describe.each(operatorDefinitions.map((definition) => [definition.name, definition] as const))(
  "%s",
  (_, definition) => {
    const { query, body, reply, example, failures = {} } = definition as RouteDefinition;

    it("shows examples that its schemas accept", () => {
      const shown = [
        ...(example?.query === undefined ? [] : [v.safeParse(query!, example.query)]),
        ...(example?.body === undefined ? [] : [v.safeParse(body!, example.body)]),
        ...(example?.reply === undefined || reply.kind !== "json" ? [] : [v.safeParse(reply.schema, example.reply)]),
      ];
      expect(shown.flatMap(({ issues = [] }) => issues.map(({ message }) => message))).toEqual([]);
    });

    it("describes in sentences what it is for and why it fails", () => {
      const { summary, tag } = definition;
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(tag).toMatch(/^[A-Z]/);
      for (const failure of Object.values(failures)) {
        expect(typeof failure === "string" ? failure : failure.description).toMatch(/^[A-Z].*\.$/);
      }
    });
  },
);
