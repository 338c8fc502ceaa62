import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  db_path: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(4096)), "/sandbox/skills.db"),
  top_k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000)), 5),
  dir: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(4096)), ""),
  self_improvement: v.optional(v.picklist(["off", "auto"]), "off"),
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
    db_path: {
      label: "Store of versions",
      description:
        "A file, or the address of a libSQL server; blank keeps versions in memory only. Where the file cannot be written, skills/skills.db in the instance's folder of the home is used. The default lies in the home where there is no /sandbox.",
      type: "path",
      path_kind: "file",
      restart: true,
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
    self_improvement: {
      label: "Improve by itself",
      description: "auto: the agent may also change and delete skills in your folder. Each change can be taken back.",
      type: "select",
      options: ["off", "auto"],
    },
  },
} as const satisfies SettingsSection;
