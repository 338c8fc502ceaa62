/** A part of a text: words, or the key of a setting. */
export interface TextPart {
  readonly text: string;
  readonly isSetting: boolean;
}

const KEY = /\b((?:onboarding|filesystem|egress|projects|auth)\.[a-z_]+)\b/;

/** A refusal of the service, with the keys of settings that it names as parts of their own. */
export function withSettings(text: string): readonly TextPart[] {
  return text
    .split(KEY)
    .map((part, at) => ({ text: part, isSetting: at % 2 === 1 }))
    .filter((part) => part.text !== "");
}
