/** Ids that are kept. */
const KEPT = 20;

/** Reads what was opened from the palette, the last first. */
export function readRecent(stored: string | undefined): readonly string[] {
  try {
    const ids: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string").slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

/** The same with one more in front, as it is stored. */
export function withRecent(stored: string | undefined, id: string): string {
  return JSON.stringify([id, ...readRecent(stored).filter((one) => one !== id)].slice(0, KEPT));
}
