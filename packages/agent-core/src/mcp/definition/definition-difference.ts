import { canonicalJson, type JsonValue } from "../../json/index.ts";
import { type TextPiece, textPieces } from "./invisible-text.ts";
import type { PinnedDefinition } from "./pinned-definition.ts";

/** Differences of one definition that are listed one by one. */
const MAX_FIELDS = 200;
/** Characters of a value that are shown. */
const MAX_CHARS = 8_000;

/** One difference between what is approved and what a server shows now. */
export interface DefinitionDifference {
  /** Such as `description`, `hints.readOnlyHint` or `inputSchema.properties.path.type`. */
  readonly field: string;
  /** Undefined: it is new. What cannot be seen is named. */
  readonly before?: readonly TextPiece[];
  /** Undefined: it is gone. */
  readonly after?: readonly TextPiece[];
}

/** The differences of a definition, by field, for a view of both sides. Of a new one every field is new. */
export function definitionDifference({ approved, seen }: PinnedDefinition): readonly DefinitionDifference[] {
  if (seen === undefined) return [];
  const found: DefinitionDifference[] = [];
  compare("", asJson(approved), asJson(seen), found);
  return found.length <= MAX_FIELDS ? found : [...found.slice(0, MAX_FIELDS), rest(found.length - MAX_FIELDS)];
}

function rest(count: number): DefinitionDifference {
  return { field: "…", after: [{ text: `and ${count} more differences` }] };
}

function asJson(value: object | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  const { kind: _, name: __, ...fields } = value as { readonly [key: string]: JsonValue };
  return fields;
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function compare(
  field: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  found: DefinitionDifference[],
): void {
  if (isObject(after) && (isObject(before) || field === "")) {
    const was = isObject(before) ? before : {};
    for (const name of new Set([...Object.keys(was), ...Object.keys(after)])) {
      const at = field === "" ? name : `${field}.${name}`;
      compare(at, own(was, name), own(after, name), found);
    }
    return;
  }
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return;
  found.push({
    field,
    ...(before !== undefined && { before: pieces(before) }),
    ...(after !== undefined && { after: pieces(after) }),
  });
}

function own(value: { readonly [key: string]: JsonValue }, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function pieces(value: JsonValue): readonly TextPiece[] {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return textPieces(text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);
}
