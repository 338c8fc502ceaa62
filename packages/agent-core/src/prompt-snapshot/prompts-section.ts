import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const countFrom = (minimum: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(minimum));

const schema = v.object({
  capture: v.optional(v.boolean(), true),
  retention_days: v.optional(countFrom(0), 30),
  max_calls: v.optional(countFrom(0), 5000),
});

export type PromptsSectionValue = v.InferOutput<typeof schema>;

/** The section `prompts` (B60): prompts of model calls, kept for the operator. */
export const promptsSection = {
  name: "prompts",
  title: "Recorded prompts",
  category: "Box",
  description: "Keeps the prompt of each model call, without secrets. Both bounds apply; the smaller wins.",
  schema,
  fields: {
    capture: {
      label: "Capture prompts",
      description: "Keep the instructions and the conversation of every model call, and how large its parts were.",
      type: "bool",
    },
    retention_days: {
      label: "Retention",
      description: "Days a captured call is kept; 0 keeps it for ever.",
      type: "number",
      minimum: 0,
      depends_on: { key: "prompts.capture", equals: true },
    },
    max_calls: {
      label: "Calls kept",
      description: "The newest calls that are kept; 0 keeps all.",
      type: "number",
      minimum: 0,
      depends_on: { key: "prompts.capture", equals: true },
    },
  },
} as const satisfies SettingsSection;
