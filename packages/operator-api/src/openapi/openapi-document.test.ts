import * as v from "valibot";
import { expect, it } from "vitest";
import { flagQuery, pageFields, pageQuery } from "../paging/index.ts";
import { defineRoute, empty, events, json, media } from "../route/index.ts";
import { openApiDocument } from "./index.ts";

const listThings = defineRoute({
  name: "things.list",
  method: "GET",
  path: "/api/things/{kind}",
  tag: "Things",
  summary: "Things of a kind",
  params: { kind: "Their kind." },
  query: v.object({ ...pageQuery(v.string()).entries, all: flagQuery("Hidden ones too.") }),
  reply: json(v.object({ things: v.array(v.object({ id: v.string() })), ...pageFields })),
  failures: {
    404: "No such kind.",
    502: { description: "The gateway failed.", schema: v.object({ detail: v.object({ code: v.string() }) }) },
  },
  example: { reply: { things: [{ id: "t-1" }], next_cursor: null } },
});
const base = { tag: "Things", summary: "s" } as const;
const addThing = defineRoute({
  ...base,
  name: "things.add",
  method: "POST",
  path: "/api/things",
  body: v.object({ name: v.string(), size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1) }),
  reply: empty(),
});
const follow = defineRoute({
  ...base,
  name: "things.follow",
  method: "GET",
  path: "/api/follow",
  public: true,
  reply: events(v.object({ topic: v.string() })),
});
const exported = defineRoute({
  ...base,
  name: "things.export",
  method: "GET",
  path: "/api/export",
  reply: media("text/csv"),
});

const document = openApiDocument([listThings, addThing, follow, exported], "1");

it("describes the location, type and purpose of parameters", () => {
  expect(document.paths["/api/things/{kind}"]?.get).toMatchObject({
    parameters: [
      { name: "kind", in: "path", required: true, description: "Their kind." },
      { name: "limit", in: "query", required: false, schema: { type: "integer", default: 50 } },
      { name: "cursor", in: "query", required: false, schema: { type: "string" } },
      { name: "all", in: "query", description: "Hidden ones too.", schema: { type: "boolean" } },
    ],
  });
});

it("describes responses, failures included", () => {
  expect(document.paths["/api/things/{kind}"]?.get).toMatchObject({
    responses: {
      200: {
        content: {
          "application/json": {
            schema: { required: ["things", "next_cursor"], additionalProperties: false },
            example: { things: [{ id: "t-1" }] },
          },
        },
      },
      404: { description: "No such kind." },
      502: { description: "The gateway failed." },
    },
  });
});

it("describes bodies, their defaults optional, and the key of a POST", () => {
  expect(document.paths["/api/things"]?.post).toMatchObject({
    parameters: [{ name: "Idempotency-Key", in: "header" }],
    requestBody: { required: true, content: { "application/json": { schema: { required: ["name"] } } } },
    responses: { 204: {}, 415: {} },
  });
});

it("describes streams by what their events hold, and who may do without a credential", () => {
  expect(document.paths["/api/follow"]?.get).toMatchObject({
    security: [{}, { bearer: [] }, { apiKey: [] }],
    responses: { 200: { content: { "text/event-stream": { "x-event-data": { type: "object" } } } } },
  });
  expect(document.paths["/api/export"]?.get).toMatchObject({ responses: { 200: { content: { "text/csv": {} } } } });
});
