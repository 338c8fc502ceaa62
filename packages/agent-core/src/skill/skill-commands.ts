import type { SlashCommand } from "../command/index.ts";
import type { SkillEntry } from "./skill.ts";
import { oneLine } from "./skill-index.ts";

/** The slash commands of skills: what the skill says leads the turn, and what was typed behind the command follows. */
export function skillCommands(entries: readonly SkillEntry[], onUse: (name: string) => void): readonly SlashCommand[] {
  return entries.flatMap(({ skill }) => {
    if (skill === undefined || !(skill.userFacing || skill.userOnly)) return [];
    const { name, slash, body } = skill;
    return [
      {
        name: slash,
        kind: "skill" as const,
        description: oneLine(skill.description).replace(/\.$/, ""),
        usage: `/${slash} <what for>`,
        run({ args }: { readonly args: string }) {
          onUse(name);
          return { kind: "turn" as const, text: args === "" ? body : `${body}\n\n${args}` };
        },
      },
    ];
  });
}
