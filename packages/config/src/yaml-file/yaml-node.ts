/**
 * What a configuration file holds, as plain data that remembers its lines. Everything after the reader works on these
 * nodes, so nothing else in the package knows the YAML library.
 */
export type YamlNode = YamlScalar | YamlMap | YamlList;

/** A single value. Dates and words such as `off` are text (YAML 1.2 core schema). */
export interface YamlScalar {
  readonly kind: "scalar";
  readonly line: number;
  readonly value: string | number | boolean | null;
}

/** A mapping in file order. `keyLine` is the line of the key; its value may start further down. */
export interface YamlMap {
  readonly kind: "map";
  readonly line: number;
  readonly entries: ReadonlyMap<string, { readonly keyLine: number; readonly node: YamlNode }>;
}

export interface YamlList {
  readonly kind: "list";
  readonly line: number;
  readonly items: readonly YamlNode[];
}

/** The plain value of a node: strings, numbers, booleans, null, arrays and objects. */
export function toValue(node: YamlNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(toValue);
  return Object.fromEntries([...node.entries].map(([key, entry]) => [key, toValue(entry.node)]));
}

/** The line of the value at `path` under a node, or of the deepest part of the path that exists. */
export function lineAt(node: YamlNode, path: readonly (string | number)[]): number {
  let at = node;
  let line = node.line;
  for (const step of path) {
    if (at.kind === "list") {
      const item = at.items[Number(step)];
      if (item === undefined) break;
      at = item;
      line = item.line;
    } else if (at.kind === "map") {
      const entry = at.entries.get(String(step));
      if (entry === undefined) break;
      at = entry.node;
      line = entry.keyLine;
    } else break;
  }
  return line;
}

/** Whether a node is empty: `key:` with no value, `null` or `~`. */
export function isNull(node: YamlNode): boolean {
  return node.kind === "scalar" && node.value === null;
}
