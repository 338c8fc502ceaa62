/**
 * The two faces of a tool's schema: JSON Schema for the model that reads it, validation for the arguments it writes
 * (rulings R4, S7; document 3 "Tool catalogue").
 */
import type { AnyTool } from "@agent-service/plugin-sdk";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { ModelTool } from "../model/index.ts";

type JsonObject = { type?: unknown; [key: string]: unknown };
type ConvertOptions = NonNullable<Parameters<typeof toJsonSchema>[1]>;

/** What a model is told when a schema says nothing it could be told: any object. */
function anyObject(): JsonObject {
  return { type: "object", properties: {}, additionalProperties: true };
}

function convert(tool: AnyTool, errorMode: "throw" | "ignore"): JsonObject {
  const options: ConvertOptions = {
    target: "draft-07",
    // What is written, not what `run` receives: defaults are optional, transforms have not happened.
    typeMode: "input",
    errorMode,
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema.type === "object") return { ...jsonSchema, additionalProperties: false };
      if (valibotSchema.type === "loose_object") return { ...jsonSchema, additionalProperties: true };
      return undefined;
    },
    // Trimming, checks in code and the like have no words in JSON Schema; validation applies them all the same.
    overrideAction: ({ jsonSchema, errors }) => (errors === undefined ? undefined : jsonSchema),
  };
  const { $schema: _, ...schema } = toJsonSchema(tool.input, options) as JsonObject;
  return schema;
}

/** Gateways insist on an object at the top, also where a schema is a choice between objects or a reference. */
function withObjectRoot(schema: JsonObject): JsonObject | undefined {
  if (schema.type === "object") return { properties: {}, ...schema };
  if (schema.type !== undefined) return undefined;
  const describesSomething = ["oneOf", "anyOf", "allOf", "$ref"].some((key) => key in schema);
  return describesSomething ? { type: "object", ...schema } : anyObject();
}

/**
 * How a tool is shown to a model; call it once, when the tool is registered. Parameters are a draft-07 JSON Schema with
 * an object at the top; objects that drop unknown keys say `additionalProperties: false`, so that a model does not
 * invent some. Never throws: what the schema cannot say in JSON Schema is left open (validation still holds) and
 * `warn` is told, in one sentence naming the tool.
 */
export function toModelTool(tool: AnyTool, warn: (message: string) => void = () => {}): ModelTool {
  const { name, description } = tool;
  let schema: JsonObject | undefined;
  try {
    schema = convert(tool, "throw");
  } catch (error) {
    warn(`tool ${name}: its schema is shown to the model only in part: ${(error as Error).message}`);
    try {
      schema = convert(tool, "ignore");
    } catch {
      schema = anyObject();
    }
  }
  const parameters = withObjectRoot(schema);
  if (parameters === undefined) {
    warn(`tool ${name}: its schema is no object, so the model is shown any object instead`);
    return { name, description, parameters: anyObject() };
  }
  return { name, description, parameters };
}
