import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  self_edit_enabled: v.optional(v.boolean(), false),
  self_edit_approval: v.optional(v.boolean(), true),
});

export type SoulSectionValue = v.InferOutput<typeof schema>;

/** The section `soul`: whether the agent may edit its persona. */
export const soulSection = {
  name: "soul",
  title: "Persona edits",
  category: "Behavior",
  description: "Whether the agent may edit its own persona, section by section.",
  schema,
  fields: {
    self_edit_enabled: {
      label: "Let the agent edit its persona",
      description: "Offers edit_soul. Every edit is a version that can be taken back.",
      type: "bool",
    },
    self_edit_approval: {
      label: "Ask for each edit",
      description:
        "Show each edit before it is made. Where no person follows the turn, or the conversation holds content from outside, it is always asked.",
      type: "bool",
    },
  },
} as const satisfies SettingsSection;
