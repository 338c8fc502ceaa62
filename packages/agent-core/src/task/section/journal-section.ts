import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  retention_days: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
});

export type JournalSectionValue = v.InferOutput<typeof schema>;

/** The section `journal`: an earlier name of `checkpoint.max_age_days` (R14). */
export const journalSection = {
  name: "journal",
  title: "Earlier settings",
  category: "Box",
  description: "An earlier name of a setting of checkpoint.",
  schema,
  fields: {
    retention_days: {
      label: "Days that details are kept",
      description: "Read as checkpoint.max_age_days where that is not set, with a warning.",
      type: "number",
      minimum: 1,
    },
  },
} as const satisfies SettingsSection;
