/** Putting a skill into the commons, which several processes read and write (K26). */

import { SkillError } from "./skill-error.ts";
import type { SkillLibrary } from "./skill-library.ts";
import type { SkillRoot } from "./skill-root.ts";
import { stageSkill } from "./write-skill.ts";

export interface PromotingOptions {
  /** The private root. */
  readonly own: SkillRoot;
  /** Its path is blank where nothing can be promoted. */
  readonly commons: SkillRoot;
  readonly library: Pick<SkillLibrary, "find" | "skill" | "files" | "read" | "refresh">;
  readonly makeFolder: (path: string) => void;
}

/**
 * Copies a skill of the private root with its files; `SKILL.md` comes last, so a skill that is seen is whole. One of the same
 * name in the commons is replaced.
 * @throws SkillError unknown, read_only, broken, invalid, unwritable, not_layered
 */
export async function promoteSkill(
  name: string,
  { own, commons, library, makeFolder }: PromotingOptions,
): Promise<void> {
  const entry = library.find(name);
  if (entry === undefined) throw new SkillError("unknown", `there is no skill ${JSON.stringify(name)}`);
  if (commons.path === "")
    throw new SkillError("not_layered", "skills are shared only where knowledge.scope is layered");
  library.skill(name);
  if (own.entry(name) !== entry)
    throw new SkillError("read_only", `the skill ${name} is no private one: it is ${entry.origin}`);
  const files = library.files(name).map(({ path }) => ({ path, text: readable(library, name, path) }));
  for (const { path, text } of [...files, { path: "SKILL.md", text: entry.text }]) {
    const staged = await stageSkill(commons.path, name, { text, path, makeFolder });
    try {
      await staged.place();
    } finally {
      staged.close();
    }
  }
  await library.refresh();
}

function readable(library: PromotingOptions["library"], name: string, path: string): string {
  try {
    return library.read(name, path);
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    throw new SkillError("invalid", `the skill ${name} cannot be shared: ${path}: ${error.message}`);
  }
}
