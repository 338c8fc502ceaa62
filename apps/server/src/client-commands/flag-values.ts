import type { CommandContext, FlagValues } from "./command.ts";
import { usage } from "./command-failure.ts";

/** A flag's text; undefined where it was not given. */
export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** A flag as one of the words. */
export function wordFlag<const T extends string>(flags: FlagValues, name: string, words: readonly T[]): T | undefined {
  const value = textFlag(flags, name);
  if (value === undefined) return undefined;
  const word = words.find((one) => one === value);
  if (word === undefined) throw usage(`--${name} takes ${words.join(", ")}, not ${JSON.stringify(value)}`);
  return word;
}

/** `--limit`: how many rows; 20 where nobody says. */
export function limitFlag(flags: FlagValues): number {
  const text = textFlag(flags, "limit");
  if (text === undefined) return 20;
  const limit = Number(text);
  if (!/^\d{1,6}$/.test(text) || limit === 0)
    throw usage(`--limit takes a number from 1 to 999999, not ${JSON.stringify(text)}`);
  return limit;
}

/** The words after the first: exactly these, named for people. */
export function wordsOf({ words }: Pick<CommandContext, "words">, ...names: readonly string[]): string[] {
  const given = words.slice(1);
  if (given.length > names.length) throw usage(`there is one word too many: ${JSON.stringify(given[names.length])}`);
  const missing = names[given.length];
  if (missing !== undefined) throw usage(`${words[0]} wants ${missing}`);
  return given;
}
