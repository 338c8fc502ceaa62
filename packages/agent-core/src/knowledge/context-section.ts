import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  budget_pct: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100)), 8),
  prior_sessions: v.optional(
    v.pipe(
      v.union([v.picklist(["newest", "relevant", "off"]), v.literal(false)]),
      v.transform((policy) => (policy === false ? "off" : policy)),
    ),
    "newest",
  ),
});

export type ContextSectionValue = v.InferOutput<typeof schema>;

/** The section `context`: how much of the window what was remembered may take. */
export const contextSection = {
  name: "context",
  title: "Context",
  category: "Behavior",
  description: "How much of the model's window memory may take.",
  schema,
  fields: {
    budget_pct: {
      label: "Share of the window",
      description:
        "Percent of the model's window that memories of a turn may take, at least 16,000 characters; 0: no bound. Always-on memory has 6,000 characters of its own.",
      type: "number",
    },
    prior_sessions: {
      label: "Earlier conversations",
      description:
        "Which earlier conversations a new one is shown a line of: the newest, those relevant to its message, or none.",
      type: "select",
      options: ["newest", "relevant", "off"],
    },
  },
} as const satisfies SettingsSection;
