/** Names of tools, or patterns of them: `*` matches any characters, everything else itself. */

/** A name or pattern as settings write it. */
export const NAME_PATTERN = /^[a-zA-Z0-9_*-]{1,64}$/;

/** What the list fits; undefined for an empty list, so that asking costs a branch. */
export function nameMatcher(patterns: readonly string[]): ((name: string) => boolean) | undefined {
  if (patterns.length === 0) return undefined;
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("*")));
  const globs = patterns.filter((pattern) => pattern.includes("*"));
  return (name) => exact.has(name) || globs.some((glob) => fits(name, glob));
}

/** Each literal part is matched at its first occurrence after the one before: at most name times parts comparisons. */
function fits(name: string, glob: string): boolean {
  const parts = glob.split("*");
  const last = parts.at(-1) ?? "";
  let at = 0;
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const found = index === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
