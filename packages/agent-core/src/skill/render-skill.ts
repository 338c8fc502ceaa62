/** From the parts of a skill to the text of its `SKILL.md`. Keys of others stay; comments in the head do not. */
import { isMapping } from "./parse-skill.ts";

/** What of a skill is written. */
export interface SkillDraft {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly tools: readonly string[];
  readonly userFacing: boolean;
  readonly userOnly: boolean;
  /** Blank: the name. */
  readonly slash: string;
  /** Keys of the head that are not written by these. */
  readonly head: { readonly [key: string]: unknown };
}

/** The text of a `SKILL.md`. */
export function renderSkill({ name, description, body, tools, userFacing, userOnly, slash, head }: SkillDraft): string {
  const { metadata, ...others } = head;
  const ours = new Set(["tools", "user_facing", "user_only", "slash"]);
  const kept = isMapping(metadata)
    ? Object.fromEntries(Object.entries(metadata).filter(([key]) => !ours.has(key)))
    : {};
  const written: { readonly [key: string]: unknown } = {
    ...Object.fromEntries(Object.entries(others).filter(([key]) => !ours.has(key))),
    ...{ name, description },
    ...(tools.length > 0 && { tools }),
    ...(userFacing && { user_facing: true }),
    ...(userOnly && { user_only: true }),
    ...(slash !== "" && slash !== name && { slash }),
    ...(Object.keys(kept).length > 0 && { metadata: kept }),
  };
  const { name: first, description: second, ...rest } = written;
  const lines = Object.entries({ name: first, description: second, ...rest }).map(
    ([key, value]) => `${scalar(key)}: ${typeof value === "string" ? scalar(value) : json(value)}`,
  );
  const text = body.replace(/\r\n?/g, "\n").replaceAll("\0", "").trim();
  return ["---", ...lines, "---", "", text, ""].join("\n").toWellFormed();
}

/** JSON is YAML too; what a person would write without quotation marks has none. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z][\w ,.()/;'-]*$/.test(text) && !text.endsWith(" ");
  return isPlain && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : json(text);
}

function json(value: unknown): string {
  return JSON.stringify(value);
}
