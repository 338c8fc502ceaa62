import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({ auto_resume: v.optional(v.boolean(), true) });

export type BackgroundSectionValue = v.InferOutput<typeof schema>;

/** The section `background` (B67): what happens with the reports of background jobs. */
export const backgroundSection = {
  name: "background",
  title: "Background jobs",
  category: "Behavior",
  description: "Work that the agent leaves to jobs of their own.",
  schema,
  fields: {
    auto_resume: {
      label: "Report back",
      description:
        "A finished background job runs a turn in the session that started it. Canceled jobs never do, nor those that an incognito or a background turn started.",
      type: "bool",
    },
  },
} as const satisfies SettingsSection;
