import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { YamlMap, YamlNode } from "./yaml-node.ts";

/** Bounds of one file. Generous for people, small for bombs. */
export const YAML_LIMITS = {
  /** Bytes of a file. */
  bytes: 1024 * 1024,
  /** Levels of nesting. */
  depth: 64,
  /** Values after aliases are written out. */
  nodes: 50_000,
  /** Uses of an anchor. */
  aliases: 100,
} as const;

/** The file's top-level mapping, or the first thing that is wrong with it. `reason` never quotes the file. */
export type YamlResult =
  | { readonly ok: true; readonly root: YamlMap }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/**
 * Reads one YAML 1.2 document of a configuration file. Refused, besides broken syntax: tags (nothing is ever
 * constructed), keys that occur twice or are not text, `__proto__` and the like, a second document, and whatever exceeds
 * `YAML_LIMITS`. An empty document is an empty mapping.
 */
export function parseYaml(text: string): YamlResult {
  const lines = new LineCounter();
  // Duplicate keys are found in the walk below: the library's own check is quadratic (6 s for 40,000 keys).
  const document = parseDocument(text, {
    lineCounter: lines,
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    // Not "silent", which would also silence the error about a second document.
    logLevel: "error",
  });
  const lineOf = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const first = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0])[0];
  if (first !== undefined)
    return { ok: false, line: lineOf(first.pos[0]), reason: OWN_MESSAGES[first.code] ?? plainReason(first.message) };
  try {
    const root = document.contents === null ? emptyMap() : walk(document.contents, newWalk(lineOf), 0);
    if (root.kind === "scalar" && root.value === null) return { ok: true, root: emptyMap() };
    if (root.kind !== "map") return { ok: false, line: root.line, reason: "the file must be a mapping of sections" };
    return { ok: true, root };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, line: error.line, reason: error.message };
    throw error;
  }
}

class Refusal extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface Walk {
  readonly lineOf: (offset: number) => number;
  readonly anchors: Map<string, Node>;
  nodes: number;
  aliases: number;
}

const newWalk = (lineOf: (offset: number) => number): Walk => ({ lineOf, anchors: new Map(), nodes: 0, aliases: 0 });

const emptyMap = (): YamlMap => ({ kind: "map", line: 1, entries: new Map() });

/** Replaces messages of the library that would not help an operator. */
const OWN_MESSAGES: { readonly [code: string]: string } = {
  NON_STRING_KEY: "a key must be plain text",
  MULTIPLE_DOCS: "a second document; one is allowed",
};

/** The library quotes the file after a colon; the part before is the reason. */
function plainReason(message: string): string {
  const colon = message.indexOf(": ");
  return (colon === -1 ? message : message.slice(0, colon)).replace(/\s+/g, " ");
}

function walk(node: unknown, state: Walk, depth: number): YamlNode {
  const ast = node as Node;
  const line = state.lineOf(ast.range?.[0] ?? 0);
  state.nodes += 1;
  if (state.nodes > YAML_LIMITS.nodes) throw new Refusal(line, `more than ${YAML_LIMITS.nodes} values`);
  if (depth > YAML_LIMITS.depth) throw new Refusal(line, `nested more than ${YAML_LIMITS.depth} levels deep`);
  if (isAlias(ast)) {
    state.aliases += 1;
    if (state.aliases > YAML_LIMITS.aliases) throw new Refusal(line, `more than ${YAML_LIMITS.aliases} aliases`);
    const target = state.anchors.get(ast.source);
    if (target === undefined) throw new Refusal(line, "an alias without its anchor");
    return walk(target, state, depth + 1);
  }
  const anchor = (ast as { anchor?: string }).anchor;
  if (anchor !== undefined) state.anchors.set(anchor, ast);
  if (ast.tag !== undefined && !PLAIN_TAGS.has(ast.tag)) throw new Refusal(line, "tags are not allowed");
  if (isMap(ast)) return walkMap(ast, state, depth, line);
  if (isSeq(ast)) return walkList(ast, state, depth, line);
  if (isScalar(ast)) return walkScalar(ast, line);
  return { kind: "scalar", line, value: null };
}

const PLAIN_TAGS: ReadonlySet<string> = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

const REFUSED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function walkMap(ast: YAMLMap, state: Walk, depth: number, line: number): YamlNode {
  const entries = new Map<string, { keyLine: number; node: YamlNode }>();
  for (const pair of ast.items) {
    const keyNode = pair.key as Scalar;
    const keyLine = state.lineOf(keyNode.range?.[0] ?? 0);
    const key = keyNode.value;
    if (typeof key !== "string") throw new Refusal(keyLine, "a key must be plain text");
    if (REFUSED_KEYS.has(key)) throw new Refusal(keyLine, `the key ${key} is not allowed`);
    if (entries.has(key)) throw new Refusal(keyLine, "a key that already stands in the same mapping");
    const node =
      pair.value === null
        ? ({ kind: "scalar", line: keyLine, value: null } as const)
        : walk(pair.value, state, depth + 1);
    entries.set(key, { keyLine, node });
  }
  return { kind: "map", line, entries };
}

function walkList(ast: YAMLSeq, state: Walk, depth: number, line: number): YamlNode {
  return { kind: "list", line, items: ast.items.map((item) => walk(item, state, depth + 1)) };
}

function walkScalar(ast: Scalar, line: number): YamlNode {
  const { value } = ast;
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return { kind: "scalar", line, value };
  throw new Refusal(line, "a value that is neither text, number, boolean nor null");
}
