import type { AnyTool } from "@agent-service/plugin-sdk";
import { defineFeature, type OwnStoreOptions, type SettingsOf } from "../feature/index.ts";
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
import { type PersonaText, SoulHistory } from "./soul-history.ts";
import { soulSection } from "./soul-section.ts";
import { editSoulTool } from "./soul-tool.ts";
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
  /** The persona, which the agent may edit where the settings let it. */
  readonly persona: PersonaText;
}

/** Characters that descriptions may take at least (K18). */
const LEAST_BUDGET = 16_000;
const CHARS_OF_TOKEN = 4;

/** Instructions for kinds of work: folders with a `SKILL.md`, watched; their versions in a store of their own at `url`. */
export function skills({
  folder,
  commons,
  readYaml,
  makeFolder,
  persona,
  url,
  fallback,
  exists,
}: SkillsFeatureOptions) {
  return defineFeature({
    name: "skills",
    sections: [skillsSection, soulSection, contextSection],
    topics: ["skill.changed", "persona.self_edited"],
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
      const history = new SoulHistory({ persona, versions, exists, log });
      const saving = { shelf, redact: (text: string) => redactor.text(text) };
      const kept = [...skillTools({ library, onUse }), saveSkillTool(saving)];
      const improving = [...kept, ...improveTools(saving)];
      const editing = [
        editSoulTool({
          ...{ persona, history, bus, redact: saving.redact },
          asks: () => settings.soul.self_edit_approval,
        }),
      ];
      // The same array while the settings stay: nothing is prepared anew.
      const offered = toolSets(kept, improving, editing);
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
            budget: budgetOf(settings.context.budget_pct, () => chooseModel(undefined).windowTokens),
          }),
        }),
        history,
        /** Names of skills that the agent wrote in a conversation. @throws DatabaseError */
        writtenIn: async (session: string) => (exists() ? versions.changedIn("skill", session) : []),
        tools: () => offered(settings),
        commands: () => (settings.skills.enabled ? skillCommands(library.entries, onUse) : []),
        async recover() {
          await uses.load();
          await shelf.reconcile();
          await history.reconcile();
        },
        async close() {
          await library.close();
          await shelf.close();
          await history.close();
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

/** Characters that descriptions may take in a window; 0: no bound. */
function budgetOf(percent: number, windowTokens: () => number): number {
  if (percent === 0) return 0;
  try {
    return Math.max(LEAST_BUDGET, (windowTokens() * CHARS_OF_TOKEN * percent) / 100);
  } catch {
    // No model can be chosen: the turn says so.
    return LEAST_BUDGET;
  }
}

/** The tools there are by the settings. */
function toolSets(kept: readonly AnyTool[], improving: readonly AnyTool[], editing: readonly AnyTool[]) {
  const none: readonly AnyTool[] = [];
  const sets = [none, kept, improving].map((skills) => [skills, [...skills, ...editing]] as const);
  return ({ skills, soul }: SettingsOf<readonly [typeof skillsSection, typeof soulSection]>): readonly AnyTool[] => {
    const [without, editingToo] = sets[skills.enabled ? (skills.self_improvement === "auto" ? 2 : 1) : 0]!;
    return soul.self_edit_enabled ? editingToo : without;
  };
}
