import { safeParse } from "valibot";
import { type ProblemSink, problemAt } from "../problem/index.ts";
import type { Provenance } from "../provenance/index.ts";
import {
  faultOf,
  isOptional,
  isSecret,
  keysOf,
  objectEntries,
  objectListItem,
  type Section,
} from "../section/index.ts";
import { isNull, lineAt, toValue, type YamlNode } from "../yaml-file/index.ts";
import { at, type CollectContext, collectKeys, mapOrReport, reportLeftOut, reportWrong } from "./collect-keys.ts";
import type { FileLayer, Layers } from "./layers.ts";
import { assemble, type Leaf } from "./leaf.ts";
import type { ResolvedSection } from "./resolve-map-section.ts";

/** One entry while it is merged. `context` and `line` are those of the layer that named it last. */
interface Entry {
  context: CollectContext;
  line: number;
  readonly fields: Map<string, Leaf>;
}

/**
 * Lays the layers of a list section over each other (B51 `providers`, rule 1): entries merge by id, field by
 * field; the order is that of first mention. An explicit empty list in the live file empties what was inherited
 * (rule 3). The overlay holds `<id>: <secret>` and names no entry itself. Undefined: no layer sets it.
 */
export function resolveListSection(section: Section, layers: Layers, sink: ProblemSink): ResolvedSection {
  const merged = new Map<string, Entry>();
  const provenance = new Map<string, Provenance>([[section.name, { layer: "default" }]]);
  let isSet = false;
  for (const file of layers.files) {
    const found = file.root.entries.get(section.name);
    if (found === undefined || isNull(found.node)) continue;
    const context = contextOf(section, file, sink);
    if (file.layer === "secrets") {
      applyOverlay(section, context, found.node, merged);
      continue;
    }
    if (found.node.kind !== "list") {
      reportWrong(context, at(file, found.keyLine), section.name, "expected a list");
      continue;
    }
    isSet = true;
    provenance.set(section.name, at(file, found.keyLine));
    if (found.node.items.length === 0) merged.clear();
    mergeEntries(section, context, found.node.items, merged);
  }
  if (!isSet) return { value: undefined, provenance };
  const value = [...merged].flatMap(([id, entry]) => {
    const built = buildEntry(section, entry);
    if (built === undefined) return [];
    for (const leaf of entry.fields.values())
      provenance.set(`${section.name}.${id}.${leaf.key}`, leaf.valid ? leaf.from : { layer: "default" });
    return [built];
  });
  const parsed = safeParse(section.schema, value);
  if (parsed.success) return { value: parsed.output, provenance };
  reportWrong(
    { security: section.security === true, sink },
    provenance.get(section.name) ?? { layer: "default" },
    section.name,
    parsed.issues[0].message,
  );
  return { value: undefined, provenance: new Map([[section.name, { layer: "default" }]]) };
}

function contextOf(section: Section, file: FileLayer, sink: ProblemSink): CollectContext {
  return {
    ...file,
    path: section.name,
    security: section.security === true,
    isSecret: (key) => isSecret(section, key),
    sink,
  };
}

function mergeEntries(
  section: Section,
  context: CollectContext,
  items: readonly YamlNode[],
  merged: Map<string, Entry>,
): void {
  const { item, idField } = shapeOf(section);
  const seen = new Set<string>();
  for (const [index, node] of items.entries()) {
    const id = node.kind === "map" ? node.entries.get(idField)?.node : undefined;
    const idSchema = objectEntries(item)?.[idField];
    const fault = idSchema === undefined || id === undefined ? undefined : faultOf(idSchema, toValue(id), false);
    const name = id?.kind === "scalar" && typeof id.value === "string" ? id.value : undefined;
    if (name === undefined || fault !== undefined) {
      const reason = id === undefined ? `${idField} is missing` : `${idField}: ${fault?.reason ?? "expected text"}`;
      reportLeftOut({ ...context, path: `${context.path}.${index}` }, lineAt(node, [idField]), reason);
      continue;
    }
    const inner = { ...context, path: `${context.path}.${name}` };
    if (seen.has(name)) {
      reportLeftOut(inner, node.line, `${idField} stands twice in this list`);
      continue;
    }
    seen.add(name);
    const entry = merged.get(name) ?? { context: inner, line: node.line, fields: new Map<string, Leaf>() };
    for (const leaf of collectKeys(inner, item, node)) entry.fields.set(leaf.key, leaf);
    entry.context = inner;
    entry.line = node.line;
    merged.set(name, entry);
  }
}

function applyOverlay(section: Section, context: CollectContext, node: YamlNode, merged: Map<string, Entry>): void {
  const secretField = section.secrets?.[0];
  const map = mapOrReport(context, node);
  if (secretField === undefined || map === undefined) return;
  const schema = objectEntries(shapeOf(section).item)?.[secretField];
  for (const [id, { keyLine, node: secret }] of map.entries) {
    const from = at(context, keyLine);
    const path = `${section.name}.${id}`;
    const value = toValue(secret);
    if (value === null || (typeof value === "string" && value.trim() === "")) continue;
    const fault = schema === undefined ? undefined : faultOf(schema, value, true);
    if (fault !== undefined) context.sink.error(problemAt("wrong-value", from, path, fault.reason));
    const entry = merged.get(id);
    if (entry !== undefined)
      entry.fields.set(secretField, { key: secretField, from, valid: fault === undefined, value });
    else
      context.sink.warn(problemAt("misplaced-value", from, path, `no entry of ${section.name} has this id, ignored`));
  }
}

function buildEntry(section: Section, entry: Entry): object | undefined {
  const { item } = shapeOf(section);
  for (const { key, schema } of keysOf(item)) {
    const leaf = entry.fields.get(key);
    const needed = !isOptional(schema) || (leaf !== undefined && section.required?.includes(key) === true);
    if (!needed || leaf?.valid === true) continue;
    reportLeftOut(entry.context, entry.line, `${key} is ${leaf === undefined ? "missing" : "wrong"}`);
    return undefined;
  }
  const raw = assemble(entry.fields.values());
  const parsed = safeParse(item, raw);
  if (parsed.success) return raw;
  reportLeftOut(entry.context, entry.line, parsed.issues[0].message);
  return undefined;
}

function shapeOf(section: Section) {
  const item = objectListItem(section.schema);
  if (item === undefined || section.merge_by === undefined)
    throw new TypeError(`section ${section.name}: merge_by needs a list of objects`);
  return { item, idField: section.merge_by };
}
