/** What drizzle leaves among the parameters for a placeholder, bare or with the column that encodes it. */
interface Placeholder {
  readonly name?: string;
  readonly value?: { readonly name?: string };
}

function literal(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  throw new TypeError(`no SQL literal for ${String(value)}`);
}

/** The query's text with its arguments by name and its constants written out. */
export function named(query: { toSQL(): { sql: string; params: unknown[] } }): string {
  const { sql: text, params } = query.toSQL();
  let next = 0;
  return text.replaceAll("?", () => {
    const param = params[next++] as Placeholder | string | number;
    if (typeof param !== "object") return literal(param);
    const name = param.name ?? param.value?.name;
    if (name === undefined) throw new TypeError(`parameter ${next} of ${text} has no name`);
    return `:${name}`;
  });
}
