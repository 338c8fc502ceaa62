/** Whether a pattern can fit an address at all: three parts, or `**` for any number of them. */
export function canFit(pattern: string): boolean {
  return pattern.includes("**") || pattern.split("/").filter((part) => part !== "").length >= 3;
}

/** Whether `<host>/<owner>/<repo>` fits a pattern: `*` within a part, `**` over parts, without case (F20). */
export function fitsPattern(key: string, pattern: string): boolean {
  const source = pattern
    .split(/(\*+)/)
    .map((part) =>
      part.startsWith("*") ? (part === "*" ? "[^/]*" : ".*") : part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"),
    )
    .join("");
  return new RegExp(`^${source}$`, "i").test(key);
}
