/** How the agent reads its skills (K27). */
import { type AnyTool, defineTool } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { SkillError } from "./skill-error.ts";
import { oneLine } from "./skill-index.ts";
import type { SkillLibrary } from "./skill-library.ts";

export interface SkillToolsOptions {
  readonly library: Pick<SkillLibrary, "entries" | "skill" | "files" | "read">;
  /** Called with the name of each skill that was loaded. */
  readonly onUse: (name: string) => void;
}

/** What skills say is not for peers (K3). */
export const OF_SKILLS = { availableTo: ["lead", "subagents"], content: "own" } as const;

/** `load_skill`, `list_skills`. */
export function skillTools({ library, onUse }: SkillToolsOptions): readonly AnyTool[] {
  const loadable = (name: string) => {
    const skill = library.skill(name);
    if (skill.userOnly) throw new SkillError("user_only", `only people begin the skill ${name}`);
    return skill;
  };
  return [
    defineTool({
      name: "load_skill",
      description:
        "Read a skill: instructions for a kind of work, and the list of its files. To read one of its files, append its path to the name.",
      input: v.object({
        name: v.pipe(
          v.string(),
          v.trim(),
          v.nonEmpty(),
          v.maxLength(1_024),
          v.description("For example research-report, or research-report/references/sources.md."),
        ),
      }),
      effect: "pure",
      ...OF_SKILLS,
      present: { asks: "Load the skill {name}?", doing: "Loading the skill {name}", done: "Loaded the skill {name}" },
      run({ name: wanted }) {
        const slash = wanted.indexOf("/");
        const name = slash === -1 ? wanted : wanted.slice(0, slash);
        const { description, body } = loadable(name);
        if (slash !== -1) return library.read(name, wanted.slice(slash + 1));
        onUse(name);
        const files = library.files(name).map(({ path, bytes }) => `- ${name}/${path} (${bytes} bytes)`);
        const listed = files.length === 0 ? [] : ["", "Files that load_skill reads too:", ...files];
        return [`# ${name}`, oneLine(description), "", body, ...listed].join("\n");
      },
    }),
    defineTool({
      name: "list_skills",
      description: "List the skills there are, with what each is for.",
      input: v.object({}),
      effect: "pure",
      ...OF_SKILLS,
      present: { asks: "List skills?", doing: "Reading the list of skills", done: "Read the list of skills" },
      run() {
        const lines = library.entries.flatMap(({ name, origin, skill, fault }) => {
          if (skill === undefined) return [`- ${name} [${origin}, broken: ${fault}]`];
          return skill.userOnly ? [] : [`- ${name} [${origin}]: ${oneLine(skill.description)}`];
        });
        return lines.length === 0 ? "There are no skills." : lines.join("\n");
      },
    }),
  ];
}
