import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  interval: v.optional(v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(86_400)), 30),
  keep_terminal_h: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(87_600)), 24),
  poller: v.optional(v.boolean(), true),
});

export type WatchesSectionValue = v.InferOutput<typeof schema>;

/** The section `watches` (B62). */
export const watchesSection = {
  name: "watches",
  title: "Watches",
  category: "Behavior",
  description: "Conditions that are checked again and again.",
  schema,
  fields: {
    enabled: {
      label: "Watch tools",
      description: "Give the agent the tools that set and clear watches. Off, watches go on.",
      type: "bool",
    },
    interval: {
      label: "Interval",
      description: "Seconds between two checks of a watch; its own interval only slows it.",
      type: "number",
    },
    keep_terminal_h: {
      label: "Keep ended watches",
      description: "Hours that a watch which is met or expired stays listed; 0: for ever.",
      type: "number",
    },
    poller: {
      label: "Check watches",
      description: "Check watches at all. Off, nothing fires and no watch can be created.",
      type: "bool",
    },
  },
} as const satisfies SettingsSection;
