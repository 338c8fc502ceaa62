const REFUSED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Whether a configuration file may have this key. */
export function isFileKey(key: string): boolean {
  return !REFUSED.has(key);
}
