import * as v from "valibot";
import { expect, test } from "vitest";
import { defineRoute, empty } from "../route/index.ts";
import { operationInput, operationRequest } from "./index.ts";

const edit = defineRoute({
  ...{ name: "things.edit", method: "POST", path: "/api/things/{id}", tag: "Things", summary: "s", reply: empty() },
  params: { id: "Of the thing." },
  query: v.object({ limit: v.optional(v.string()), tags: v.optional(v.array(v.string())) }),
  body: v.object({ text: v.string() }),
});
const { signal } = new AbortController();

test("each argument gets its place in the request", async () => {
  expect(operationInput(edit)).toMatchObject({
    properties: { id: { description: "Of the thing." }, limit: {}, tags: {}, body: {}, idempotency_key: {} },
    required: ["id", "body"],
  });
  const args = { id: "a/../b?", limit: 5, tags: ["x", "y"], body: { text: "t" }, idempotency_key: "k" };
  const { request, param } = operationRequest(edit, args, signal);
  expect(request.url).toBe("http://operation.invalid/api/things/a%2F..%2Fb%3F?limit=5&tags=x&tags=y");
  expect([param("id"), param("limit"), request.headers.get("idempotency-key")]).toEqual(["a/../b?", undefined, "k"]);
  expect(await request.json()).toEqual({ text: "t" });
});

test.each([
  [{ id: "a", other: 1 }, "other"],
  [{ id: "\ud800" }, "id"],
  [{ id: {} }, "id"],
  [{ id: "a", idempotency_key: "ä" }, "idempotency_key"],
])("refuses %j, naming the place", (args, place) => {
  expect(() => operationRequest(edit, args, signal)).toThrow(
    expect.objectContaining({ status: 422, detail: [expect.objectContaining({ loc: ["arguments", place] })] }),
  );
});
