import { getDefaults, safeParse } from "valibot";
import type { ProblemSink } from "../problem/index.ts";
import { problemAt } from "../problem/index.ts";
import type { Provenance } from "../provenance/index.ts";
import { isSecret, isSecurity, keysOf, type Section } from "../section/index.ts";
import type { YamlNode } from "../yaml-file/index.ts";
import { type CollectContext, collectKeys, mapOrReport, reportWrong } from "./collect-keys.ts";
import type { FileLayer, Layers } from "./layers.ts";
import { assemble, type Leaf } from "./leaf.ts";
import { outsideLeaves } from "./outside-leaves.ts";

/** A section's value, and by dotted key (section included) where each part of it came from. */
export interface ResolvedSection {
  readonly value: unknown;
  readonly provenance: ReadonlyMap<string, Provenance>;
}

/** Lays the layers of a mapping section over each other, key by key; lists and `json` values replace as a whole. */
export function resolveMapSection(section: Section, layers: Layers, sink: ProblemSink): ResolvedSection {
  const { below, above } = outsideLeaves(section, layers, sink);
  const fromFiles = layers.files.flatMap((file) => {
    const entry = file.root.entries.get(section.name);
    return entry === undefined ? [] : fileLeaves(section, file, entry.node, sink);
  });
  const winners = new Map<string, Leaf>();
  for (const leaf of [...below, ...fromFiles, ...above]) winners.set(leaf.key, leaf);
  const parsed = safeParse(section.schema, assemble(winners.values()));
  if (!parsed.success) reportWhole(section, winners, parsed.issues[0].message, sink);
  const provenance = new Map<string, Provenance>();
  for (const { key } of keysOf(section.schema)) {
    const leaf = parsed.success ? winners.get(key) : undefined;
    provenance.set(`${section.name}.${key}`, leaf?.valid ? leaf.from : { layer: "default" });
  }
  return { value: parsed.success ? parsed.output : defaultsOf(section), provenance };
}

/** The value of a section that no layer sets. */
export function defaultsOf(section: Section): unknown {
  const parsed = safeParse(section.schema, section.merge_by === undefined ? {} : undefined);
  return parsed.success ? parsed.output : getDefaults(section.schema as never);
}

/** Keys that are right one by one can be wrong together. */
function reportWhole(section: Section, winners: Map<string, Leaf>, reason: string, sink: ProblemSink): void {
  const from = [...winners.values()].at(-1)?.from ?? { layer: "default" };
  reportWrong({ security: section.security === true, sink }, from, section.name, reason);
}

function fileLeaves(section: Section, file: FileLayer, node: YamlNode, sink: ProblemSink): Leaf[] {
  const context: CollectContext = {
    ...file,
    path: section.name,
    security: section.security === true,
    isSecret: (key) => isSecret(section, key),
    isSecurity: (key) => isSecurity(section, key),
    sink,
  };
  if (file.layer !== "secrets") {
    // A value that is no mapping may hide such a key.
    const security = context.security || keysOf(section.schema).some(({ key }) => isSecurity(section, key));
    return collectKeys(node.kind === "map" ? context : { ...context, security }, section.schema, node);
  }
  const map = mapOrReport(context, node);
  if (map === undefined) return [];
  const leaves = collectKeys(context, section.schema, node);
  return leaves.filter(({ key, from }) => {
    if (isSecret(section, key)) return true;
    sink.warn(problemAt("misplaced-value", from, `${section.name}.${key}`, "not a secret, ignored in this file"));
    return false;
  });
}
