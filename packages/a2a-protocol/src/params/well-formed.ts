type Container = { [key: string]: unknown };

/**
 * A JSON value whose texts UTF-8 can encode: lone surrogates become U+FFFD, in place. Messages go to models and stores,
 * which accept nothing else, and writing lone surrogates as JSON takes ten times as long as any other text.
 */
export function wellFormed<T>(value: T): T {
  if (typeof value === "string") return value.toWellFormed() as T;
  if (typeof value !== "object" || value === null) return value;
  const container = value as Container;
  for (const key of Object.keys(container)) {
    const held = container[key];
    if (typeof held === "object") wellFormed(held);
    else if (typeof held === "string" && !held.isWellFormed()) container[key] = held.toWellFormed();
  }
  return value;
}
