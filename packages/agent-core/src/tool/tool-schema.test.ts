import { defineTool, jsonInput } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { toModelTool } from "./index.ts";

function toolWith(input: v.GenericSchema) {
  return defineTool({ name: "probe", description: "Probes.", input, run: () => "ran" });
}

function parametersOf(input: v.GenericSchema) {
  return toModelTool(toolWith(input)).parameters;
}

describe("toModelTool", () => {
  it("shows name, description and a draft-07 object schema without its $schema line", () => {
    const shown = toModelTool(
      toolWith(
        v.object({ city: v.pipe(v.string(), v.minLength(1), v.description("Where")), days: v.optional(v.number(), 3) }),
      ),
    );
    expect(shown).toEqual({
      name: "probe",
      description: "Probes.",
      parameters: {
        type: "object",
        properties: {
          city: { type: "string", minLength: 1, description: "Where" },
          days: { type: "number", default: 3 },
        },
        required: ["city"],
        additionalProperties: false,
      },
    });
  });

  it("leaves out what adds nothing: empty lists of fields, bounds of every integer, an empty text as the default", () => {
    const page = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0);
    const shown = v.object({ page, note: v.optional(v.string(), ""), free: v.optional(v.looseObject({})) });
    expect(JSON.parse(JSON.stringify(parametersOf(shown)))).toEqual({
      type: "object",
      properties: {
        page: { type: "integer", minimum: 0, default: 0 },
        note: { type: "string" },
        free: { type: "object", additionalProperties: true },
      },
      additionalProperties: false,
    });
  });

  it("closes objects that drop unknown keys at every level and leaves loose ones open", () => {
    expect(parametersOf(v.looseObject({ inner: v.object({ a: v.string() }) }))).toMatchObject({
      additionalProperties: true,
      properties: { inner: { additionalProperties: false } },
    });
  });

  it("describes what is written, not what a transform makes of it", () => {
    const count = v.pipe(v.string(), v.transform(Number));
    expect(parametersOf(v.object({ count })).properties).toEqual({ count: { type: "string" } });
  });

  it("omits trimming and checks in code without a warning", () => {
    const warnings: string[] = [];
    const value = v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty(),
      v.check((text) => text !== "no"),
    );
    const shown = toModelTool(toolWith(v.object({ value })), (line) => warnings.push(line));
    expect(shown.parameters.properties).toEqual({ value: { type: "string", minLength: 1 } });
    expect(warnings).toEqual([]);
  });

  it("puts an object at the top of a choice between objects and of an empty schema", () => {
    const choice = v.variant("kind", [v.object({ kind: v.literal("a") }), v.object({ kind: v.literal("b") })]);
    expect(parametersOf(choice)).toMatchObject({ type: "object", oneOf: [{ type: "object" }, { type: "object" }] });
    expect(parametersOf(v.object({}))).toMatchObject({ type: "object", properties: {} });
    expect(parametersOf(v.any())).toEqual({ type: "object", properties: {}, additionalProperties: true });
  });

  it("handles a schema that refers to itself", () => {
    type Node = { children: Node[] };
    const node: v.GenericSchema<Node> = v.object({ children: v.array(v.lazy(() => node)) });
    expect(parametersOf(node)).toMatchObject({ type: "object", properties: { children: { type: "array" } } });
  });

  it("leaves open what JSON Schema cannot express and warns, naming the tool", () => {
    const warnings: string[] = [];
    const shown = toModelTool(toolWith(v.object({ big: v.bigint(), name: v.string() })), (line) => warnings.push(line));
    expect(shown.parameters).toMatchObject({ type: "object", properties: { big: {}, name: { type: "string" } } });
    expect(warnings).toEqual([expect.stringMatching(/^tool probe: .*bigint/)]);
  });

  it("shows any object, with a warning, for a schema that is no object or no schema at all", () => {
    for (const input of [
      v.string(),
      v.array(v.number()),
      {} as v.GenericSchema,
      undefined as unknown as v.GenericSchema,
    ]) {
      const warnings: string[] = [];
      const shown = toModelTool(toolWith(input), (line) => warnings.push(line));
      expect(shown.parameters).toEqual({ type: "object", properties: {}, additionalProperties: true });
      expect(warnings).toHaveLength(1);
    }
  });
});

it("shows a schema that somebody else wrote as it is", () => {
  const written = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { a: { type: "string", pattern: "^(a+)+$" } },
    $defs: {},
  };
  expect(parametersOf(jsonInput(written))).toEqual(written);
});
