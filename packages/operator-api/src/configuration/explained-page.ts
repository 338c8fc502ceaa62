import { cursorOf } from "../paging/index.ts";
import { Problem } from "../problem/index.ts";

/** The query of a page of explained values. */
export interface PageRequest {
  readonly key?: string | undefined;
  readonly limit: number;
  /** The last key of the page before. */
  readonly cursor?: string | undefined;
}

/** The page of the values at or below `key`. @throws Problem 404 when no key is */
export function explainedPage<TValue extends { readonly key: string }>(
  values: readonly TValue[],
  { key, limit, cursor }: PageRequest,
): { readonly values: readonly TValue[]; readonly next_cursor: string | null } {
  const chosen = key === undefined ? values : values.filter((one) => one.key === key || one.key.startsWith(`${key}.`));
  if (key !== undefined && chosen.length === 0) throw new Problem(404, "There is no such key in the configuration.");
  const start = cursor === undefined ? 0 : chosen.findIndex((one) => one.key === cursor) + 1;
  const page = chosen.slice(start, start + limit);
  const rest = chosen.length > start + page.length;
  return { values: page, next_cursor: rest ? cursorOf(page.at(-1)?.key) : null };
}
