import { defineFeature } from "../feature/index.ts";
import { contextSection } from "../knowledge/index.ts";
import { indexOfTurns } from "./index-of-turns.ts";
import type { ReadYaml } from "./parse-skill.ts";
import { shippedSkills } from "./shipped-skills.ts";
import { skillCommands } from "./skill-commands.ts";
import { SkillLibrary } from "./skill-library.ts";
import { SkillRoot } from "./skill-root.ts";
import { skillTools } from "./skill-tools.ts";
import { skillsSection } from "./skills-section.ts";

export interface SkillsFeatureOptions {
  /** The folder of the operator's own skills, absolute. Asked at each look. */
  readonly folder: () => string;
  readonly readYaml: ReadYaml;
}

/** Characters that descriptions may take at least (K18). */
const LEAST_BUDGET = 16_000;
const CHARS_OF_TOKEN = 4;

/** Instructions for kinds of work: folders with a `SKILL.md`, watched. */
export function skills({ folder, readYaml }: SkillsFeatureOptions) {
  return defineFeature({
    name: "skills",
    sections: [skillsSection, contextSection],
    topics: ["skill.changed"],
    async open({ clock, bus, log, chooseModel }, { settings }) {
      const library = new SkillLibrary({
        roots: [
          new SkillRoot({ path: folder, origin: "user", readYaml }),
          new SkillRoot({ path: shippedSkills, origin: "bundled", readYaml }),
        ],
        ...{ clock, bus, log },
      });
      await library.open();
      const uses = new Map<string, { count: number; at: number }>();
      const onUse = (name: string): void => {
        uses.set(name, { count: (uses.get(name)?.count ?? 0) + 1, at: clock.now() });
      };
      const budget = (): number => {
        const { budget_pct: percent } = settings.context;
        if (percent === 0) return 0;
        try {
          return Math.max(LEAST_BUDGET, (chooseModel(undefined).windowTokens * CHARS_OF_TOKEN * percent) / 100);
        } catch {
          return LEAST_BUDGET;
        }
      };
      const tools = skillTools({ library, onUse });
      const none: typeof tools = [];
      return {
        library,
        index: indexOfTurns({
          ...{ library, clock, uses: () => uses },
          settings: () => ({
            enabled: settings.skills.enabled,
            describedMost: settings.skills.top_k,
            budget: budget(),
          }),
        }),
        tools: () => (settings.skills.enabled ? tools : none),
        commands: () => (settings.skills.enabled ? skillCommands(library.entries, onUse) : []),
        close: () => library.close(),
      };
    },
    tools: ({ tools }) => tools,
    commands: ({ commands }) => commands,
    systemText: ({ index }, party) => (party === "operator" ? index() : undefined),
    close: ({ close }) => close(),
  });
}
