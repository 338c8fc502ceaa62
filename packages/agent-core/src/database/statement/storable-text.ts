/** A text as a store can hold it: NUL, at which SQLite cuts, and halves of surrogate pairs, which UTF-8 lacks, are U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** Each escape of a JSON text; of a surrogate pair both halves at once. */
const ESCAPE = /\\(?:u(d[89ab][0-9a-f]{2})(?:\\u(d[c-f][0-9a-f]{2}))?|u(d[c-f][0-9a-f]{2})|.)/gis;

/**
 * A JSON text without escaped halves of surrogate pairs, as `JSON.stringify` writes them: SQLite's `->>` makes broken UTF-8
 * of one, and the native binding ends the process when it reads that. Any other text is returned unchanged.
 */
export function storableJson(text: string): string {
  if (!/^\s*[[{"]/.test(text) || !/\\ud/i.test(text)) return text;
  return text.replace(ESCAPE, (spelled, high?: string, low?: string, alone?: string) =>
    alone !== undefined || (high !== undefined && low === undefined) ? "\ufffd" : spelled,
  );
}

/** Whether a store can hold a text as it is. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/**
 * Where a JSON value holds a text, or a key, that a store cannot hold; undefined where none does. Of a key the path is
 * that of its object.
 */
export function unstorablePath(value: unknown): readonly (string | number)[] | undefined {
  if (typeof value === "string") return isStorable(value) ? undefined : [];
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, held] of Object.entries(value)) {
    if (!isStorable(key)) return [];
    const inner = unstorablePath(held);
    if (inner !== undefined) return [Array.isArray(value) ? Number(key) : key, ...inner];
  }
  return undefined;
}
