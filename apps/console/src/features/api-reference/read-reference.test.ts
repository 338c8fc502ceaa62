import { describe, expect, it } from "vitest";
import { type Operation, readReference, resolve } from "./read-reference.ts";

const document = {
  openapi: "3.1.0",
  info: { title: "The API", version: "1.2.3", description: "About it." },
  paths: {
    "/api/things/{id}": {
      put: {
        operationId: "things.edit",
        tags: ["Things"],
        summary: "Changes a thing",
        parameters: [
          { name: "id", in: "path", required: true, description: "Of the thing.", schema: { type: "string" } },
        ],
        requestBody: {
          content: { "application/json": { schema: { type: "object" }, example: { name: "it's" } } },
        },
        responses: {
          200: {
            description: "Changed.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          401: { $ref: "#/components/responses/Unauthenticated" },
        },
      },
    },
    "/api/follow": {
      get: {
        responses: {
          200: {
            description: "s",
            content: { "text/event-stream": { schema: {}, "x-event-data": { type: "object" } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: { type: "object", properties: { id: { type: "string" } } },
      Round: { $ref: "#/components/schemas/Round" },
    },
    responses: { Unauthenticated: { description: "No credential." } },
  },
};

describe("the reference of a document", () => {
  const { title, version, groups } = readReference(document);
  const [follow, edit] = groups.flatMap(({ operations }) => operations) as [Operation, Operation];

  it("has its operations by tag, references followed", () => {
    expect([title, version, groups.map(({ name }) => name)]).toEqual(["The API", "1.2.3", ["Other", "Things"]]);
    expect(edit).toMatchObject({
      id: "things.edit",
      method: "PUT",
      parameters: [{ name: "id", where: "path", required: true }],
      body: { mediaType: "application/json", example: { name: "it's" } },
      answers: [
        { status: "200", content: { schema: { properties: { id: {} } } } },
        { status: "401", description: "No credential.", content: undefined },
      ],
    });
    expect(follow).toMatchObject({ id: "get /api/follow", answers: [{ content: { schema: { type: "object" } } }] });
  });

  it("makes do with documents that are none", () => {
    for (const none of [undefined, null, [], "x", { paths: { "/x": { get: 5 } } }, { paths: [1] }]) {
      expect(readReference(none)).toMatchObject({ title: "" });
    }
  });

  it("ends where references go in a circle", () => {
    expect(resolve(document, { $ref: "#/components/schemas/Round" })).toHaveProperty("$ref");
  });
});
