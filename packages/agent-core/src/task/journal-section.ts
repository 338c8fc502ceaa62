import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  retention_days: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 30),
});

/** What `journal` in the configuration comes to. */
export type JournalSectionValue = v.InferOutput<typeof schema>;

/** The section `journal`: how long what happened can be read again (ruling R12). */
export const journalSection = {
  name: "journal",
  description: "How long the record of what happened is kept.",
  schema,
  fields: {
    retention_days: {
      label: "Retention",
      description: "Days after its end that a task's events are kept; text increments go after 24 hours.",
      type: "number",
      minimum: 1,
    },
  },
} as const satisfies SettingsSection;
