import {
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { ConfigEdit, EditStep } from "./edit.ts";
import { editedValue } from "./edit.ts";

/**
 * Makes one change in the text itself, so that every other byte stays. Answers `undefined` where it has no simple way;
 * the caller checks what it answers by reading it back.
 */
export function spliceEdit(text: string, { path, value }: ConfigEdit): string | undefined {
  if (/^(---|%)/m.test(text)) return undefined;
  const document = parseDocument(text, { version: "1.2", schema: "core", merge: false, uniqueKeys: false });
  const root = document.contents as Node | null;
  if (root !== null && !isMap(root) && !(isScalar(root) && root.value === null)) return undefined;
  const map = isMap(root) ? (root as YAMLMap) : undefined;
  if (map?.flow === true) return undefined;
  return inMap({ text, map, indent: 0, from: 0, to: text.length }, path, value);
}

/** A block mapping (undefined: one is to be inserted) and its range of the text. */
interface MapRange {
  readonly text: string;
  readonly map: YAMLMap | undefined;
  /** Column of its keys. */
  readonly indent: number;
  readonly from: number;
  readonly to: number;
}

function inMap(range: MapRange, [step, ...rest]: readonly EditStep[], value: unknown): string | undefined {
  if (typeof step !== "string") return undefined;
  const { text, map } = range;
  const at = map?.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === step) ?? -1;
  if (map === undefined || at === -1)
    return value === undefined ? text : insertPair(range, step, editedValue(undefined, rest, value));
  const pair = map.items[at] as Pair<Scalar, Node | null>;
  const next = map.items[at + 1] as Pair<Scalar> | undefined;
  const to = next?.key.range?.[0] ?? range.to;
  if (rest.length === 0) return value === undefined ? removePair(range, pair) : setPair(range, pair, step, value);
  const inner = pair.value;
  const whole = (): string | undefined =>
    setPair(range, pair, step, editedValue(inner?.toJS(documentOf(text)) ?? undefined, rest, value));
  if (inner === null || (isScalar(inner) && inner.value === null && isBlank(inner))) {
    if (value === undefined) return text;
    if (typeof rest[0] !== "string") return whole();
    const from = lineEnd(text, pair.key.range?.[1] ?? 0);
    return inMap({ text, map: undefined, indent: range.indent + 2, from, to }, rest, value);
  }
  if (isFlow(inner)) return whole();
  if (isMap(inner)) return inMap(rangeOfMap(text, inner as YAMLMap, to), rest, value);
  if (isSeq(inner)) return inList({ ...range, to }, pair, rest, value);
  return whole();
}

function inList(
  range: MapRange,
  pair: Pair<Scalar, Node | null>,
  path: readonly EditStep[],
  value: unknown,
): string | undefined {
  const [step, ...rest] = path;
  if (step === undefined || typeof step === "string") return undefined;
  const { text } = range;
  const list = pair.value as YAMLSeq<Node>;
  const at = list.items.findIndex((item) => isMap(item) && item.get(step.field) === step.is);
  const item = list.items[at];
  if (item === undefined) {
    if (value === undefined) return text;
    const last = list.items.at(-1);
    if (last === undefined) return undefined;
    const fresh = editedValue({ [step.field]: step.is }, rest, value);
    const end = lineEnd(text, contentEnd(text, last));
    return splice(text, end, end, `\n${indented(stringify([fresh], WRITE), dashColumn(text, last))}`);
  }
  if (rest.length === 0 && value !== undefined) return undefined;
  if (rest.length === 0) {
    if (list.items.length === 1) return setPair(range, pair, String(pair.key.value), []);
    const from = lineStart(text, item.range?.[0] ?? 0);
    return splice(text, from, Math.min(text.length, lineEnd(text, contentEnd(text, item)) + 1), "");
  }
  if (isFlow(item) && isMap(item)) {
    const flat = stringify(editedValue(item.toJS(documentOf(text)), rest, value), {
      ...WRITE,
      collectionStyle: "flow",
    });
    return replaceFlow(text, item, flat.trim());
  }
  return isMap(item) ? inMap(rangeOfMap(text, item as YAMLMap, contentEnd(text, item)), rest, value) : undefined;
}

function rangeOfMap(text: string, map: YAMLMap, to: number): MapRange {
  const start = (map.items[0]?.key as Scalar | undefined)?.range?.[0] ?? map.range?.[0] ?? 0;
  return { text, map, indent: start - lineStart(text, start), from: lineStart(text, start), to };
}

/** After the line that explains the key in a comment, if there is one, else after the mapping's last key. */
function insertPair({ text, map, indent, from, to }: MapRange, key: string, value: unknown): string {
  const lines = `${indented(stringify({ [key]: value }, WRITE), indent)}`;
  const last = map?.items.at(-1) as Pair<Scalar, Node | null> | undefined;
  const at =
    afterComment(text, from, to, indent, key) ?? (last === undefined ? from : lineEnd(text, pairEnd(text, last)));
  if (at === 0) return text === "" ? `${lines}\n` : `${lines}\n${text}`;
  return splice(text, at, at, `\n${lines}${at === text.length ? "\n" : ""}`);
}

/** The end of the line `# key: …` of this column, its further lines included. */
function afterComment(text: string, from: number, to: number, indent: number, key: string): number | undefined {
  const pad = " ".repeat(indent);
  const start = `${pad}# ${key}:`;
  for (let at = lineStart(text, from); at < to; at = lineEnd(text, at) + 1) {
    const line = text.slice(at, lineEnd(text, at));
    if (line !== start && !line.startsWith(`${start} `)) continue;
    let end = lineEnd(text, at);
    for (;;) {
      const next = text.slice(end + 1, lineEnd(text, end + 1));
      if (end >= text.length || !(next.startsWith(`${pad}#  `) || next.startsWith(`${pad} `)) || !/^\s*#/.test(next))
        return end;
      end = lineEnd(text, end + 1);
    }
  }
  return undefined;
}

function setPair(
  { text, indent }: MapRange,
  pair: Pair<Scalar, Node | null>,
  key: string,
  value: unknown,
): string | undefined {
  const node = pair.value;
  if (isFlow(node) && !isScalar(node) && typeof value === "object" && value !== null && Object.keys(value).length > 0)
    return replaceFlow(text, node, stringify(value, { ...WRITE, collectionStyle: "flow" }).trim());
  if (hasComment(text, node)) return undefined;
  const start = pair.key.range?.[0] ?? 0;
  return splice(text, start, pairEnd(text, pair), indented(stringify({ [key]: value }, WRITE), indent).slice(indent));
}

function replaceFlow(text: string, node: Node, flow: string): string | undefined {
  const [start, end] = node.range ?? [0, 0];
  return hasComment(text, node) ? undefined : splice(text, start, end, flow);
}

/** Takes the pair's lines. A pair that shares its first line with a dash is left to the caller. */
function removePair({ text }: MapRange, pair: Pair<Scalar, Node | null>): string | undefined {
  const start = pair.key.range?.[0] ?? 0;
  const from = lineStart(text, start);
  if (text.slice(from, start).trim() !== "" || hasComment(text, pair.value)) return undefined;
  return splice(text, from, Math.min(text.length, lineEnd(text, pairEnd(text, pair)) + 1), "");
}

const WRITE = { version: "1.2", schema: "core", lineWidth: 0 } as const;

const documentOf = (text: string) =>
  parseDocument(text, { version: "1.2", schema: "core", merge: false, uniqueKeys: false });
const splice = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);
const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const isFlow = (node: unknown): node is Node => (node as { flow?: boolean } | null)?.flow === true;
/** A null that is not written. */
const isBlank = (node: Scalar): boolean => (node.source ?? "") === "";

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function indented(text: string, indent: number): string {
  const pad = " ".repeat(indent);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? line : pad + line))
    .join("\n");
}

function pairEnd(text: string, pair: Pair<Scalar, Node | null>): number {
  const key = pair.key.range?.[1] ?? 0;
  const colon = text.indexOf(":", key) + 1;
  const { value } = pair;
  return value === null || (isScalar(value) && value.value === null && isBlank(value as Scalar))
    ? colon
    : contentEnd(text, value);
}

/** Where a node's own text ends, without what white space and comments follow it. */
function contentEnd(text: string, node: Node): number {
  if (isMap(node) && node.flow !== true && node.items.length > 0)
    return pairEnd(text, node.items.at(-1) as Pair<Scalar, Node | null>);
  if (isSeq(node) && node.flow !== true && node.items.length > 0) {
    const last = node.items.at(-1) as Node;
    return last.range === undefined ? (node.range?.[1] ?? 0) : contentEnd(text, last);
  }
  let end = node.range?.[1] ?? 0;
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end--;
  return end;
}

function dashColumn(text: string, item: Node): number {
  const at = item.range?.[0] ?? 0;
  return text.lastIndexOf("-", at) - lineStart(text, at);
}

/** Whether a comment stands within a node's own text; a `#` within a string counts too, which costs only the layout. */
function hasComment(text: string, node: Node | null): boolean {
  if (node === null || isScalar(node)) return false;
  return text.slice(node.range?.[0] ?? 0, contentEnd(text, node)).includes("#");
}
