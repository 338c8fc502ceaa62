import { CodedError } from "../error/index.ts";

/**
 * - `unknown`: there is no such skill, version, or file of a skill.
 * - `broken`: its `SKILL.md` is none.
 * - `user_only`: it is for people to begin.
 * - `unreadable`: the file is a link, no text, too large, or outside of the skill.
 * - `known`: there is a skill of this name, or one begun by the same command.
 * - `read_only`: it ships, or comes from others.
 * - `invalid`: what would be written is no skill.
 * - `not_layered`: there is no commons to share it in.
 * - `unwritable`: the folder cannot be written.
 */
export type SkillErrorCode =
  | "unknown"
  | "broken"
  | "user_only"
  | "unreadable"
  | "known"
  | "read_only"
  | "invalid"
  | "not_layered"
  | "unwritable";

/** What skills refuse; nothing has changed. */
export class SkillError extends CodedError<SkillErrorCode> {
  override readonly name = "SkillError";
}
