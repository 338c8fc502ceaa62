import type { CommandContext, FlagValues } from "./command.ts";
import { usage } from "./command-failure.ts";

/** A flag's text; undefined where it was not given. */
export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** The texts of a flag that may be given more than once. */
export function textFlags(flags: FlagValues, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** A flag with one of these values. */
export function choiceFlag<const T extends string>(
  flags: FlagValues,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = textFlag(flags, name);
  if (value === undefined) return undefined;
  const choice = choices.find((one) => one === value);
  if (choice === undefined) throw usage(`--${name} takes ${choices.join(", ")}, not ${JSON.stringify(value)}`);
  return choice;
}

/** A flag with a whole number. */
export function numberFlag(flags: FlagValues, name: string): number | undefined {
  const text = textFlag(flags, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw usage(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
  return Number(text);
}

/** A flag with yes or no. */
export function yesFlag(flags: FlagValues, name: string): boolean | undefined {
  const choice = choiceFlag(flags, name, ["yes", "no"]);
  return choice === undefined ? undefined : choice === "yes";
}

/** A flag with a JSON object, or null. */
export function objectFlag(flags: FlagValues, name: string): { [key: string]: unknown } | null | undefined {
  const text = textFlag(flags, name);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && !Array.isArray(value)) return value as { [key: string]: unknown } | null;
  } catch {
    // Named below.
  }
  throw usage(`--${name} takes a JSON object, or null`);
}

/** A value as JSON; where it is none, as the text it is. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `--limit`: number of rows; default 20. */
export function limitFlag(flags: FlagValues): number {
  const text = textFlag(flags, "limit");
  if (text === undefined) return 20;
  const limit = Number(text);
  if (!/^\d{1,6}$/.test(text) || limit === 0)
    throw usage(`--limit takes a number from 1 to 999999, not ${JSON.stringify(text)}`);
  return limit;
}

/** For a command without arguments. */
export function refuseArguments(name: string, given: readonly string[]): void {
  if (given.length > 0) throw usage(`${name} takes no ${JSON.stringify(given[0])}`);
}

/** The arguments after the first: exactly as many as `names`, which name them for people. */
export function positionalsOf(
  { positionals }: Pick<CommandContext, "positionals">,
  ...names: readonly string[]
): string[] {
  const given = positionals.slice(1);
  if (given.length > names.length)
    throw usage(`there is one argument too many: ${JSON.stringify(given[names.length])}`);
  const missing = names[given.length];
  if (missing !== undefined) throw usage(`${positionals[0]} needs ${missing}`);
  return given;
}

/** The number of a memory or a document, with or without `#`. */
export function memoryNumber(text: string): number {
  if (/^#?[1-9]\d{0,14}$/.test(text)) return Number(text.replace("#", ""));
  throw usage(`a number is expected, not ${JSON.stringify(text)}`);
}
