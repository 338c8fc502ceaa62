import { diffWordsWithSpace } from "diff";
import type { McpTool } from "../server/mcp-types.ts";

/** One difference between what is approved of a tool and what its server shows now. */
export interface FieldDifference {
  /** For people: `Description`, or the place in the schema of the arguments. */
  readonly label: string;
  /** Undefined: it is new. */
  readonly before: string | undefined;
  /** Undefined: it is gone. */
  readonly after: string | undefined;
}

/** Differences that are listed one by one; a server may show any number. */
const MOST_FIELDS = 200;
/** Characters of a value that are shown. */
const MOST_CHARACTERS = 8_000;

const HINTS: Readonly<Record<string, string>> = {
  readOnlyHint: "Says that it only reads",
  destructiveHint: "Says that it may destroy",
  idempotentHint: "Says that repeating it changes nothing more",
  openWorldHint: "Says that it reaches beyond its own data",
};

type Json = { readonly [key: string]: unknown };

/** Every difference by field; of a new tool all of it. `more`: how many are not listed. */
export function differencesOf({
  description,
  hints,
  input_schema,
  changed,
}: Pick<McpTool, "description" | "hints" | "input_schema" | "changed">): {
  readonly fields: readonly FieldDifference[];
  readonly more: number;
} {
  if (changed === undefined) return { fields: [], more: 0 };
  const approved = changed.is_new ? {} : { description, hints: { ...hints }, input_schema };
  const { description: text, hints: shown, input_schema: schema } = changed;
  const found: FieldDifference[] = [];
  compare([], approved, { description: text, hints: { ...shown }, input_schema: schema }, found);
  return { fields: found.slice(0, MOST_FIELDS), more: Math.max(0, found.length - MOST_FIELDS) };
}

function compare(path: readonly string[], before: unknown, after: unknown, found: FieldDifference[]): void {
  const goesDeeper = path.length === 0 || path[0] === "hints" || isObject(before);
  if (isObject(after) && goesDeeper) {
    const was = isObject(before) ? before : {};
    for (const name of new Set([...Object.keys(was), ...Object.keys(after)])) {
      compare([...path, name], own(was, name), own(after, name), found);
    }
    return;
  }
  const [old, now] = [shownValue(before), shownValue(after)];
  if (old !== now) found.push({ label: labelOf(path), before: cut(old), after: cut(now) });
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(value: Json, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function shownValue(value: unknown): string | undefined {
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}

function cut(text: string | undefined): string | undefined {
  return text !== undefined && text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

function labelOf([first = "", ...rest]: readonly string[]): string {
  if (first === "description") return "Description";
  if (first === "hints") return HINTS[rest[0] ?? ""] ?? rest.join(".");
  return rest.length === 0 ? "Arguments" : `Arguments: ${rest.join(".")}`;
}

/** A part of a text beside another one, and whether the other one has it too. */
export interface TextPart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Changed words beyond which two texts count as wholly different: the search grows with their square. */
const MOST_EDITS = 400;

/** Both sides of a difference, word by word. */
export function sidesOf({ before, after }: Pick<FieldDifference, "before" | "after">): {
  readonly before: readonly TextPart[];
  readonly after: readonly TextPart[];
} {
  const whole = (text: string | undefined): readonly TextPart[] =>
    text === undefined || text === "" ? [] : [{ text, isChanged: true }];
  const changes =
    before === undefined || after === undefined
      ? undefined
      : diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (changes === undefined) return { before: whole(before), after: whole(after) };
  const side = (leftOut: "added" | "removed", changed: "added" | "removed"): readonly TextPart[] =>
    changes.filter((change) => !change[leftOut]).map(({ value, ...is }) => ({ text: value, isChanged: is[changed] }));
  return { before: side("added", "removed"), after: side("removed", "added") };
}
