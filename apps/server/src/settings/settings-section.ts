import * as v from "valibot";

const schema = v.object({
  hidden: v.optional(
    v.pipe(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200))), v.maxLength(1000)),
    [],
  ),
});

export type SettingsSectionValue = v.InferOutput<typeof schema>;

/** The section `settings` (B59). */
export const settingsSection = {
  name: "settings",
  title: "Settings page",
  category: "Box",
  description: "What the settings page shows.",
  schema,
  fields: {
    hidden: {
      label: "Hidden settings",
      description:
        "Dotted keys, or the start of one (`model`, `model.temperature`), that the operator API neither shows nor saves.",
      type: "string_list",
    },
  },
} as const;
