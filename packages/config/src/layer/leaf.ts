import type { Provenance } from "../provenance/index.ts";

/** One key's value in one layer. An invalid one still wins over lower layers: it then counts as the default (S8). */
export interface Leaf {
  /** Dotted, inside its section or list entry. */
  readonly key: string;
  readonly from: Provenance;
  readonly valid: boolean;
  readonly value: unknown;
}

/** Builds the nested object that a set of valid leaves describes. */
export function assemble(leaves: Iterable<Leaf>): { [key: string]: unknown } {
  const root: { [key: string]: unknown } = {};
  for (const { key, value, valid } of leaves) {
    if (!valid) continue;
    const steps = key.split(".");
    const last = steps.pop() as string;
    let at = root;
    for (const step of steps) {
      at[step] ??= {};
      at = at[step] as { [key: string]: unknown };
    }
    at[last] = value;
  }
  return root;
}
