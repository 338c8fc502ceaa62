/** Replaces the secrets in a text. Must be total. */
export type Redactor = (text: string) => string;

/** A fast check without false negatives: where no character is escaped, each text is in the line unchanged, between quotes. */
export function holdsNoSecret(json: string, redact: Redactor): boolean {
  return !json.includes("\\") && redact(json) === json;
}

/** Deeper structures are cut: no log line is worth a stack overflow. */
const maxDepth = 16;

/**
 * Redacts every text inside a JSON value, keys included. Texts are redacted before they are written as JSON again, so a
 * secret with quotes or line breaks in it is found in the form it has, not in its escaped one (S5).
 */
export function redactValues(value: unknown, redact: Redactor, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (value === null || typeof value !== "object") return value;
  if (depth >= maxDepth) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => redactValues(item, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactValues(item, redact, depth + 1)]),
  );
}
