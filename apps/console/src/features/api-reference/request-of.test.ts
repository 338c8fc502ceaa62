import { expect, test } from "vitest";
import type { Operation, Parameter } from "./read-reference.ts";
import { curlOf, problemsOf, requestOf, startOf } from "./request-of.ts";

const parameter = (name: string, where: string, more: Partial<Parameter> = {}): Parameter => ({
  ...{ name, where, required: false, description: "", schema: { type: "string" } },
  ...more,
});
const edit: Operation = {
  ...{ id: "things.edit", method: "PUT", path: "/api/things/{id}", summary: "", description: "", answers: [] },
  parameters: [
    parameter("id", "path", { required: true }),
    parameter("layer", "query", { required: true, schema: { enum: ["agent", "host"] } }),
    parameter("note", "query"),
    parameter("Idempotency-Key", "header"),
  ],
  body: {
    mediaType: "application/json",
    schema: { type: "object", required: ["name"], properties: { name: { type: "string" }, size: { type: "number" } } },
    example: undefined,
  },
};

test("a request begins with what is known, and shows what is missing", () => {
  const start = startOf(edit);
  expect(start).toEqual({ values: { "query layer": "agent" }, body: '{\n  "name": ""\n}' });
  expect(requestOf(edit, start).path).toBe("/api/things/{id}?layer=agent");
  expect([...problemsOf(edit, start)]).toEqual([["path id", "Enter a value."]]);
});

test("values are escaped in the address and in the command, which holds no token", () => {
  const values = {
    "path id": "a/b ?",
    "query layer": "host",
    "query note": "it's & more",
    "header Idempotency-Key": "k",
  };
  const request = requestOf(edit, { values, body: '{ "name": "it\'s" }' });
  expect(request).toEqual({
    method: "PUT",
    path: "/api/things/a%2Fb%20%3F?layer=host&note=it's%20%26%20more",
    headers: { "Idempotency-Key": "k", "Content-Type": "application/json" },
    body: '{ "name": "it\'s" }',
  });
  expect(curlOf(request, "http://127.0.0.1:1").split(" \\\n  ")).toEqual([
    String.raw`curl -X PUT 'http://127.0.0.1:1/api/things/a%2Fb%20%3F?layer=host&note=it'\''s%20%26%20more'`,
    '-H "Authorization: Bearer $A2A_AUTH_TOKEN"',
    "-H 'Idempotency-Key: k'",
    "-H 'Content-Type: application/json'",
    String.raw`-d '{ "name": "it'\''s" }'`,
  ]);
});

test("a body that is not JSON, and a value that would lead to another address, are not sent", () => {
  for (const dots of [".", ".."])
    expect(
      problemsOf(edit, { values: { "path id": dots, "query layer": "agent" }, body: "{}" }).get("path id"),
    ).toMatch(/dot alone/);
  expect(problemsOf(edit, { values: { "path id": "a", "query layer": "agent" }, body: "{" }).get("body")).toMatch(
    /^This is not JSON/,
  );
});

test("a body is sent as it was written, and values that no request can carry are refused where they stand", () => {
  const entered = (values: Record<string, string>, body = "{}") => ({
    values: { "path id": "a", "query layer": "agent", ...values },
    body,
  });
  const body = '{\n  "id": 12345678901234567890\n}';
  expect(requestOf(edit, entered({}, ` ${body}\n`)).body).toBe(body);
  for (const key of ["path id", "query note"]) {
    const half = entered({ [key]: "\ud83d" });
    expect(problemsOf(edit, half).get(key)).toMatch(/^Half/);
    // It is shown as a command meanwhile.
    expect(requestOf(edit, half).path).toContain("%EF%BF%BD");
  }
  expect(problemsOf(edit, entered({ "header Idempotency-Key": "\u2026" })).get("header Idempotency-Key")).toMatch(
    /header/,
  );
  expect(problemsOf(edit, entered({ "header Idempotency-Key": "caf\u00e9" })).size).toBe(0);
});
