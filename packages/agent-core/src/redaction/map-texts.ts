/** Levels deeper than this are left as they are; what a store takes is bounded long before. */
const MAX_DEPTH = 64;

/**
 * `value` with every text in it passed through `text`, names of properties included; the same object where nothing
 * changed. For plain JSON values.
 */
export function mapTexts<T>(value: T, text: (text: string) => string): T {
  return mapped(value, text, 0) as T;
}

function mapped(value: unknown, text: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, text, depth + 1));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value);
  const changed = entries.map(([key, member]) => [text(key), mapped(member, text, depth + 1)] as const);
  const same = changed.every(([key, member], index) => key === entries[index]?.[0] && member === entries[index]?.[1]);
  return same ? value : Object.fromEntries(changed);
}
