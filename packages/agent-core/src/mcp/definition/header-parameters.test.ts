import { expect, test } from "vitest";
import { readDefinitions } from "./index.ts";

const header = (name: unknown, type: unknown = "string") => ({ type, "x-mcp-header": name });
const read = (inputSchema: object) => {
  const { definitions, warnings } = readDefinitions({ tools: [{ name: "send", inputSchema }, { name: "other" }] });
  return [definitions.map(({ name }) => name), warnings];
};

test.each<[string, object]>([
  ["at the root", { type: "object", "x-mcp-header": "Region" }],
  ["in a list", { type: "object", properties: { a: { type: "array", items: header("Region") } } }],
  ["in a choice", { type: "object", properties: { a: { anyOf: [header("Region")] } } }],
  ["below a property of a choice", { type: "object", allOf: [{ properties: { a: header("Region") } }] }],
  ["with an empty name", { type: "object", properties: { a: header("") } }],
  ["with a space in it", { type: "object", properties: { a: header("My Region") } }],
  ["with a line break in it", { type: "object", properties: { a: header("Region\r\nX: y") } }],
  ["with a name that is none", { type: "object", properties: { a: header(7) } }],
  ["for a number", { type: "object", properties: { a: header("Region", "number") } }],
  ["for an object", { type: "object", properties: { a: header("Region", "object") } }],
  ["twice", { type: "object", properties: { a: header("Region"), b: header("region") } }],
])("a tool that declares a header %s is left out alone", (_, schema) => {
  const [names, warnings] = read(schema);
  expect(names).toEqual(["other"]);
  expect(warnings).toEqual([expect.stringMatching(/^tool "send" is left out: its schema declares /)]);
});

test("a tool that declares headers for properties, nested ones too, is kept, and what only looks like one is no header", () => {
  const nested = { type: "object", properties: { b: header("Tenant", "integer"), "x-mcp-header": { type: "string" } } };
  const properties = { a: header("Region"), nested, c: { type: "object", default: header("no", "null") } };
  expect(read({ type: "object", properties })).toEqual([["send", "other"], []]);
});
