/**
 * The two faces of a tool's schema: JSON Schema for the model that reads it, validation for the arguments it writes
 * (R4, S7; B80).
 */
import { type AnyTool, jsonSchemaOf } from "@agent-service/plugin-sdk";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { ModelTool } from "../model/index.ts";

type JsonObject = { type?: unknown; [key: string]: unknown };
type ConvertOptions = NonNullable<Parameters<typeof toJsonSchema>[1]>;

/** The schema a model is shown where none can be written: any object. */
function anyObject(): JsonObject {
  return { type: "object", properties: {}, additionalProperties: true };
}

/** An object's schema without what carries no meaning: every call of a model pays for it. */
function withoutEmpty<S extends { properties?: object; required?: readonly string[] }>(full: S): S {
  const schema = { ...full };
  if (Object.keys(schema.properties ?? {}).length === 0) delete schema.properties;
  if (schema.required?.length === 0) delete schema.required;
  return schema;
}

function convert(tool: AnyTool, errorMode: "throw" | "ignore"): JsonObject {
  const written = jsonSchemaOf(tool.input);
  if (written !== undefined) return written;
  const options: ConvertOptions = {
    target: "draft-07",
    // What is written, not what `run` receives: defaults are optional, transforms have not happened.
    typeMode: "input",
    errorMode,
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (valibotSchema.type === "object") return { ...withoutEmpty(jsonSchema), additionalProperties: false };
      if (valibotSchema.type === "loose_object") return { ...withoutEmpty(jsonSchema), additionalProperties: true };
      // An empty default of an optional text needs no mention.
      if (valibotSchema.type !== "optional" || jsonSchema.default !== "") return undefined;
      const { default: _, ...rest } = jsonSchema;
      return rest;
    },
    // Trimming, checks in code and the like cannot be expressed in JSON Schema; validation applies them all the same.
    overrideAction: ({ valibotAction, jsonSchema, errors }) => {
      if (errors !== undefined) return jsonSchema;
      if (valibotAction.type !== "safe_integer") return undefined;
      // Its own bounds are no help to a model.
      const { minimum: _, maximum: __, ...rest } = jsonSchema;
      return { ...rest, type: "integer" };
    },
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
 * Converts a tool for a model; call it once, when the tool is registered. Parameters are a draft-07 JSON Schema with an
 * object at the top; objects that drop unknown keys have `additionalProperties: false`, so that a model does not invent
 * some. Never throws: what JSON Schema cannot express is left open (validation still applies) and `warn` is called with
 * one sentence naming the tool. A schema that somebody else wrote (`jsonInput`) is shown as it is.
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
