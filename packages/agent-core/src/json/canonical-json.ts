/**
 * The one spelling of a JSON value: no white space, object keys in code unit order, so that equal values have equal
 * texts whatever order their keys came in. For values that came out of a JSON parser; what JSON cannot hold is
 * spelled as `JSON.stringify` would.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = (value as { [key: string]: unknown })[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(",")}}`;
}
