/** The tools that the scenarios of the conformance suite call, as far as a tool of the agent can be one. */

import * as v from "valibot";
import { type AnyTool, jsonInput } from "../../packages/plugin-sdk/src/index.ts";

const nothing = v.object({});

function asking(name: string): AnyTool {
  return {
    name,
    description: "Asks who is there.",
    input: nothing,
    effect: "pure",
    run: () => ({ type: "park", request: { kind: "question", question: "What is your name?" } }),
  };
}

/** They are offered by `expose.tools`. */
export const FIXTURE_TOOLS: readonly AnyTool[] = [
  {
    name: "test_simple_text",
    description: "Answers a text.",
    input: nothing,
    effect: "pure",
    run: () => "This is a simple text response for testing.",
  },
  {
    name: "test_error_handling",
    description: "Fails.",
    input: nothing,
    effect: "pure",
    run() {
      throw new Error("This tool intentionally returns an error for testing");
    },
  },
  {
    name: "json_schema_2020_12_tool",
    description: "Takes a schema of the 2020-12 dialect.",
    input: jsonInput({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      ...{ if: { properties: { contactMethod: { const: "phone" } } }, then: { required: ["phone"] } },
      else: { required: ["email"] },
      additionalProperties: false,
    }),
    effect: "pure",
    run: () => "taken",
  },
  ...["elicitation", "request_state", "tampered_state", "capabilities"].map((what) =>
    asking(`test_input_required_result_${what}`),
  ),
];
