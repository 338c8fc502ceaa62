/** A skill: a folder with a `SKILL.md`, whose head says when it fits and whose body says how the work is done (K27). */

/** Bounds of skills. */
export const SKILL_LIMITS = {
  /** Characters. */
  name: 64,
  description: 1_024,
  /** Bytes of `SKILL.md`, and of any file of a skill that is read. */
  fileBytes: 64 * 1024,
  /** Skills of one root. */
  skills: 5_000,
  /** Files of a skill that are listed. */
  listedFiles: 200,
} as const;

/** Who a skill comes from. `learned`: the agent saved it. */
export type SkillOrigin = "user" | "learned" | "bundled" | "commons";

/** A skill that can be used. */
export interface Skill {
  /** The folder's name too. */
  readonly name: string;
  /** What it is for and when it fits: what the model decides by. */
  readonly description: string;
  readonly body: string;
  /** Names of tools it works with, for people. */
  readonly tools: readonly string[];
  /** It is a slash command of the operator. */
  readonly userFacing: boolean;
  /** The command's name, without the slash. */
  readonly slash: string;
  /** Only people begin it: the model neither sees nor loads it. */
  readonly userOnly: boolean;
  /** The head as it is written, with keys that mean nothing here. */
  readonly head: { readonly [key: string]: unknown };
}

/** A folder of skills and what was found in it. */
export interface SkillEntry {
  /** The folder's name. */
  readonly name: string;
  readonly origin: SkillOrigin;
  /** Undefined where it is broken. */
  readonly skill: Skill | undefined;
  /** Why it does nothing; undefined where it is a skill. */
  readonly fault: string | undefined;
  /** The file as it is; blank where it cannot be read. */
  readonly text: string;
  /** When the file was changed last, epoch milliseconds. */
  readonly changedAt: number;
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a text is the name of a skill. */
export function isSkillName(name: string): boolean {
  return name.length <= SKILL_LIMITS.name && NAME.test(name);
}
