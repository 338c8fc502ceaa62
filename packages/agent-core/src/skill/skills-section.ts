import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  top_k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000)), 5),
  dir: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(4096)), ""),
});

export type SkillsSectionValue = v.InferOutput<typeof schema>;

/** The section `skills`: instructions for kinds of work, in folders. */
export const skillsSection = {
  name: "skills",
  title: "Skills",
  category: "Behavior",
  description: "Instructions for kinds of work: folders with a SKILL.md, which the agent reads when one fits.",
  schema,
  fields: {
    enabled: {
      label: "Use skills",
      description: "Name the skills to the agent, and offer its tools and the slash commands of skills.",
      type: "bool",
    },
    top_k: {
      label: "Descriptions of most used",
      description:
        "How many skills are described to the agent where not all descriptions fit; the names of the others stand alone. Chosen anew each day.",
      type: "number",
      minimum: 0,
      maximum: 1_000,
    },
    dir: {
      label: "Folder",
      description: "Where your skills lie, a folder each. Blank: skills beside the configuration.",
      type: "path",
      path_kind: "dir",
    },
  },
} as const satisfies SettingsSection;
