import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  max_entries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)), 1_000),
});

/** The section `example_note` of the configuration. */
export const exampleNoteSection = {
  name: "example_note",
  description: "Entries that the agent and operators add.",
  schema,
  fields: {
    max_entries: {
      label: "Most entries",
      description: "Above this number no further entry is added.",
      type: "number",
    },
  },
} as const satisfies SettingsSection;
