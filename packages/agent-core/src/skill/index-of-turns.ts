import type { Clock } from "../clock/index.ts";
import { mostUsed, skillIndex } from "./skill-index.ts";
import type { SkillLibrary } from "./skill-library.ts";

export interface IndexOfTurnsOptions {
  readonly library: Pick<SkillLibrary, "version" | "skills">;
  readonly clock: Pick<Clock, "now">;
  /** Asked at each use; `describedMost` where not all descriptions fit in `budget` characters. */
  readonly settings: () => { readonly enabled: boolean; readonly describedMost: number; readonly budget: number };
  /** How often skills were loaded. */
  readonly uses: () => ReadonlyMap<string, { readonly count: number; readonly at: number }>;
}

const DAY_MS = 86_400_000;

/**
 * The index of skills in the system text of turns. Which descriptions stay where not all fit is chosen anew once a day: an
 * index that changed with every use would cost the prompt cache each time.
 */
export function indexOfTurns({ library, clock, settings, uses }: IndexOfTurnsOptions): () => string | undefined {
  let last: { readonly key: string; readonly text: string | undefined } | undefined;
  let chosen: { readonly key: string; readonly names: ReadonlySet<string> } | undefined;
  return () => {
    const { enabled, describedMost, budget } = settings();
    if (!enabled) return undefined;
    const day = `${Math.floor(clock.now() / DAY_MS)}:${describedMost}`;
    const key = `${library.version}:${day}:${budget}`;
    if (last?.key === key) return last.text;
    const { skills } = library;
    if (chosen?.key !== day) chosen = { key: day, names: mostUsed(skills, uses(), describedMost) };
    last = { key, text: skillIndex({ skills, budget, described: chosen.names }) };
    return last.text;
  };
}
