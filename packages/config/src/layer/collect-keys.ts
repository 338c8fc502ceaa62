import type { GenericSchema } from "valibot";
import { oneLine, type ProblemSink, problemAt } from "../problem/index.ts";
import type { Provenance } from "../provenance/index.ts";
import { closestName, faultOf, isOptional, keysOf, objectEntries, objectListItem } from "../section/index.ts";
import { isNull, lineAt, toValue, type YamlList, type YamlMap, type YamlNode } from "../yaml-file/index.ts";
import { assemble, type Leaf } from "./leaf.ts";

/** One file of the cascade and how its findings are to be treated. */
export interface CollectContext {
  readonly layer: "host" | "file" | "secrets";
  readonly file: string;
  /** For messages: the section's name, for an entry of a list `providers.<id>`. */
  readonly path: string;
  readonly security: boolean;
  isSecret(key: string): boolean;
  /** Whether a wrong value of this key refuses although the section's others do not. */
  isSecurity?(key: string): boolean;
  readonly sink: ProblemSink;
}

/** Where a line of the context's file is. */
export function at(context: Pick<CollectContext, "layer" | "file">, line: number): Provenance {
  return { layer: context.layer, file: context.file, line };
}

/** Reports a wrong value the way S8 wants it: refused in security sections and for secrets, else defaulted. */
export function reportWrong(
  context: Pick<CollectContext, "security" | "sink">,
  from: Provenance,
  path: string,
  reason: string,
  secret = false,
): void {
  if (context.security || secret) context.sink.error(problemAt("wrong-value", from, path, reason));
  else context.sink.warn(problemAt("wrong-value", from, path, `${reason}; the default is used`));
}

/**
 * Reads the keys that an object schema declares from a mapping: one leaf per key that has a value. Unknown keys, wrong
 * values and secrets in the host layer are reported.
 */
export function collectKeys(context: CollectContext, schema: GenericSchema, node: YamlNode, prefix = ""): Leaf[] {
  if (isNull(node)) return [];
  const path = prefix === "" ? context.path : `${context.path}.${prefix.slice(0, -1)}`;
  if (node.kind !== "map") {
    reportWrong(context, at(context, node.line), path, "expected a mapping of keys");
    return [];
  }
  const entries = objectEntries(schema) ?? {};
  const leaves: Leaf[] = [];
  for (const [name, { keyLine, node: value }] of node.entries) {
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    const key = prefix + name;
    const from = at(context, keyLine);
    if (entry === undefined) reportUnknown(context, from, `${path}.${name}`, name, Object.keys(entries));
    else if (objectEntries(entry)) leaves.push(...collectKeys(context, entry, value, `${key}.`));
    else {
      const leaf = collectLeaf(context, key, entry, value, from);
      if (leaf) leaves.push(leaf);
    }
  }
  return leaves;
}

function reportUnknown(context: CollectContext, from: Provenance, path: string, name: string, known: string[]): void {
  const near = closestName(name, known);
  const hint = near === undefined ? "" : ` (did you mean ${near}?)`;
  context.sink.warn(problemAt("unknown-key", from, path, `unknown key, ignored${hint}`));
}

function collectLeaf(
  context: CollectContext,
  key: string,
  schema: GenericSchema,
  node: YamlNode,
  from: Provenance,
): Leaf | undefined {
  if (isNull(node)) return undefined;
  const secret = context.isSecret(key);
  const path = `${context.path}.${key}`;
  if (secret) {
    if (node.kind === "scalar" && typeof node.value === "string" && node.value.trim() === "") return undefined;
    if (context.layer === "host") {
      const text = "secrets never come from the host layer";
      if (context.security) context.sink.error(problemAt("misplaced-secret", from, path, text));
      else context.sink.warn(problemAt("misplaced-secret", from, path, `${text}, ignored`));
      return undefined;
    }
  }
  const item = objectListItem(schema);
  if (item !== undefined && node.kind === "list")
    return { key, from, valid: true, value: collectList(context, path, item, node) };
  const value = toValue(node);
  const fault = faultOf(schema, value, secret);
  if (fault === undefined) return { key, from, valid: true, value };
  const inner = fault.path.length === 0 ? "" : `${fault.path.map(String).join(".")}: `;
  const where = fault.path.length === 0 ? from : at(context, lineAt(node, fault.path));
  const refuses = secret || context.isSecurity?.(key) === true;
  reportWrong(context, where, path, oneLine(inner + fault.reason, 240), refuses);
  return { key, from, valid: false, value: undefined };
}

/** A list of objects loses what is wrong in it, not everything: a key its default, an entry without a needed key itself. */
function collectList(context: CollectContext, path: string, item: GenericSchema, node: YamlList): unknown[] {
  return node.items.flatMap((entry, index) => {
    const inner: CollectContext = { ...context, path: `${path}.${index}`, isSecret: () => false };
    const value = collectEntry(inner, item, entry);
    return value === undefined ? [] : [value];
  });
}

function collectEntry(context: CollectContext, item: GenericSchema, node: YamlNode): object | undefined {
  const leaves = collectKeys(context, item, node);
  const usable = new Set(leaves.filter((leaf) => leaf.valid).map((leaf) => leaf.key));
  const missing = keysOf(item).find(({ key, schema }) => !isOptional(schema) && !usable.has(key));
  if (missing === undefined) return assemble(leaves);
  reportLeftOut(context, node.line, `${missing.key} is missing or wrong`);
  return undefined;
}

/** Reports an entry of a list that cannot be used. */
export function reportLeftOut(context: CollectContext, line: number, reason: string): void {
  const from = at(context, line);
  if (context.security) context.sink.error(problemAt("left-out", from, context.path, reason));
  else context.sink.warn(problemAt("left-out", from, context.path, `${reason}; the entry is left out`));
}

/** A mapping's entries, or none when the node is empty; anything else is reported. */
export function mapOrReport(context: CollectContext, node: YamlNode): YamlMap | undefined {
  if (node.kind === "map") return node;
  if (!isNull(node))
    reportWrong(context, at(context, node.line), context.path, "expected a mapping", context.layer === "secrets");
  return undefined;
}
