import { defineFeature, type OwnStoreOptions } from "../feature/index.ts";
import { contextSection } from "../knowledge/index.ts";
import { indexOfTurns } from "./index-of-turns.ts";
import type { ReadYaml } from "./parse-skill.ts";
import { promoteSkill } from "./promote-skill.ts";
import { improveTools, saveSkillTool } from "./save-tools.ts";
import { shippedSkills } from "./shipped-skills.ts";
import { skillCommands } from "./skill-commands.ts";
import { SkillLibrary } from "./skill-library.ts";
import { SkillRoot } from "./skill-root.ts";
import { SkillShelf } from "./skill-shelf.ts";
import { skillTools } from "./skill-tools.ts";
import { type SkillUseCounts, SkillUses } from "./skill-uses.ts";
import { skillsSection } from "./skills-section.ts";
import { TextVersions } from "./text-versions.ts";

export interface SkillsFeatureOptions extends Pick<OwnStoreOptions, "url" | "fallback"> {
  /** Whether the store of versions has been made: one that has not is not opened before something is changed. */
  readonly exists: () => boolean;
  /** The folder of the operator's own skills, absolute. Asked at each look. */
  readonly folder: () => string;
  /** The folder of skills that agents of this machine share; blank: none. Asked at each look. */
  readonly commons: () => string;
  readonly readYaml: ReadYaml;
  /** Makes a folder with those above it. */
  readonly makeFolder: (path: string) => void;
}

/** Characters that descriptions may take at least (K18). */
const LEAST_BUDGET = 16_000;
const CHARS_OF_TOKEN = 4;

/** Instructions for kinds of work: folders with a `SKILL.md`, watched; their versions in a store of their own at `url`. */
export function skills({ folder, commons, readYaml, makeFolder, url, fallback, exists }: SkillsFeatureOptions) {
  return defineFeature({
    name: "skills",
    sections: [skillsSection, contextSection],
    topics: ["skill.changed"],
    async open({ clock, bus, log, redactor, chooseModel, openStore }, { settings }) {
      const store = openStore({ schema: "skills", url, ...(fallback && { fallback }) });
      const versions = new TextVersions({ store, clock });
      const root = new SkillRoot({ path: folder, origin: "user", readYaml });
      const shared = new SkillRoot({ path: commons, origin: "commons", readYaml });
      const library = new SkillLibrary({
        roots: [root, shared, new SkillRoot({ path: shippedSkills, origin: "bundled", readYaml })],
        onChange: () => void shelf.reconcile(),
        ...{ clock, bus, log },
      });
      const shelf = new SkillShelf({ root, library, versions, readYaml, exists, makeFolder, log });
      await library.open();
      const uses = new SkillUses({ versions, exists, clock, log });
      const onUse = (name: string): void => uses.add(name);
      const budget = (): number => {
        const { budget_pct: percent } = settings.context;
        if (percent === 0) return 0;
        try {
          return Math.max(LEAST_BUDGET, (chooseModel(undefined).windowTokens * CHARS_OF_TOKEN * percent) / 100);
        } catch {
          return LEAST_BUDGET;
        }
      };
      const saving = { shelf, redact: (text: string) => redactor.text(text) };
      const kept = [...skillTools({ library, onUse }), saveSkillTool(saving)];
      const improving = [...kept, ...improveTools(saving)];
      const none: typeof kept = [];
      return {
        ...{ library, shelf, tick: () => uses.tick(), uses: (): SkillUseCounts => uses.all },
        isEditable: (name: string) => root.entry(name) !== undefined && root.entry(name) === library.find(name),
        canPromote: () => shared.path !== "",
        promote: (name: string) => promoteSkill(name, { own: root, commons: shared, library, makeFolder }),
        index: indexOfTurns({
          ...{ library, clock, uses: () => uses.all },
          settings: () => ({
            enabled: settings.skills.enabled,
            describedMost: settings.skills.top_k,
            budget: budget(),
          }),
        }),
        tools: () => {
          if (!settings.skills.enabled) return none;
          return settings.skills.self_improvement === "auto" ? improving : kept;
        },
        commands: () => (settings.skills.enabled ? skillCommands(library.entries, onUse) : []),
        async recover() {
          await uses.load();
          await shelf.reconcile();
        },
        async close() {
          await library.close();
          await shelf.close();
          await uses.flush();
          await versions.close();
        },
      };
    },
    tools: ({ tools }) => tools,
    commands: ({ commands }) => commands,
    systemText: ({ index }, party) => (party === "operator" ? index() : undefined),
    recover: ({ recover }) => recover(),
    tick: ({ tick }) => tick(),
    close: ({ close }) => close(),
  });
}
