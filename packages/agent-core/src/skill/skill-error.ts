import { CodedError } from "../error/index.ts";

/**
 * - `unknown`: there is no such skill, or no such file of it.
 * - `broken`: its `SKILL.md` is none.
 * - `user_only`: it is for people to begin.
 * - `unreadable`: the file is a link, no text, too large, or outside of the skill.
 */
export type SkillErrorCode = "unknown" | "broken" | "user_only" | "unreadable";

/** What skills refuse; nothing has changed. */
export class SkillError extends CodedError<SkillErrorCode> {
  override readonly name = "SkillError";
}
