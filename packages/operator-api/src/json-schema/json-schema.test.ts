import * as v from "valibot";
import { expect, test } from "vitest";
import { jsonSchemaOf } from "./index.ts";

test("a request may leave out what has a default, and an answer has nothing beside its fields", () => {
  const schema = v.object({ name: v.string(), limit: v.optional(v.number(), 5) });
  expect(jsonSchemaOf(schema, "input")).toMatchObject({ required: ["name"], properties: { limit: { default: 5 } } });
  expect(jsonSchemaOf(schema, "output")).toMatchObject({ additionalProperties: false });
});
