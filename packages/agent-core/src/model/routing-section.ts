import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const modelValue = v.pipe(v.string(), v.trim(), v.nonEmpty("a model needs a name"), v.maxLength(256));

const schema = v.object({
  aux_model: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(256)), ""),
  fallback_models: v.optional(v.pipe(v.array(modelValue), v.maxLength(16, "expected at most 16 models")), []),
});

export type RoutingSectionValue = v.InferOutput<typeof schema>;

/** The section `routing` (B65): which models serve beside the lead. */
export const routingSection = {
  name: "routing",
  title: "Further models",
  category: "Model",
  description: "Which models serve beside the lead.",
  schema,
  fields: {
    aux_model: {
      label: "Auxiliary model",
      description:
        "The model for subagents without one of their own, and for titles of conversations. Blank is the lead; for titles only where that costs nothing.",
      type: "string",
    },
    fallback_models: {
      label: "Fallback models",
      description:
        "Models to try, in this order, when a model fails before it has answered anything. `<id>:<model>` or a bare name.",
      type: "string_list",
    },
  },
} as const satisfies SettingsSection;
