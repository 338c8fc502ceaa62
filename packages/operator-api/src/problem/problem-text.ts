/**
 * What a client shows of an error body (B30): a string as it is, an object's `message` or `reason`,
 * the first entry's `msg` of a list. `undefined` where a body has none of these.
 */
export function problemText(body: unknown): string | undefined {
  const detail = property(body, "detail");
  if (typeof detail === "string") return detail;
  const texts = Array.isArray(detail)
    ? [property(detail[0], "msg")]
    : [property(detail, "message"), property(detail, "reason")];
  return texts.find((text) => typeof text === "string");
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as { readonly [key: string]: unknown })[name]
    : undefined;
}
