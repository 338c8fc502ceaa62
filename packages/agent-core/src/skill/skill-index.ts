/** What the model is shown of the skills, in the system text: the same bytes while nothing changed (K27). */
import type { Skill } from "./skill.ts";

export interface SkillIndexOptions {
  /** Skills that the model may know of, by name. */
  readonly skills: readonly Skill[];
  /** Characters that descriptions may take; 0: no bound. */
  readonly budget: number;
  /** Names whose descriptions stay where not all fit. */
  readonly described: ReadonlySet<string>;
}

const HEAD =
  "Skills: instructions for certain kinds of work. Before you do work that one of these fits, call load_skill with its name and follow it.";

/** Undefined: there are none. */
export function skillIndex({ skills, budget, described }: SkillIndexOptions): string | undefined {
  if (skills.length === 0) return undefined;
  const chars = skills.reduce((sum, { description }) => sum + description.length, 0);
  const isShort = budget === 0 || chars <= budget;
  const lines = skills.map(({ name, description }) =>
    isShort || described.has(name) ? `- ${name}: ${oneLine(description)}` : `- ${name}`,
  );
  return [HEAD, ...lines].join("\n");
}

/** A description on one line, without characters that are not seen. */
export function oneLine(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
}

/** The names used most, the newest use first among equals; `most` of them. */
export function mostUsed(
  skills: readonly Skill[],
  uses: ReadonlyMap<string, { readonly count: number; readonly at: number }>,
  most: number,
): ReadonlySet<string> {
  const used = (name: string) => uses.get(name) ?? { count: 0, at: 0 };
  const names = skills.map(({ name }) => name);
  names.sort((a, b) => used(b).count - used(a).count || used(b).at - used(a).at || (a < b ? -1 : 1));
  return new Set(names.slice(0, Math.max(0, most)));
}
