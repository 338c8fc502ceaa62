import type { SearchEntry } from "./page-message.ts";
import { WebToolError } from "./web-tool-error.ts";

/** A member of a JSON value; undefined where there is none. */
export function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as { readonly [key: string]: unknown })[key]
    : undefined;
}

/** Under which names a provider's entries hold what. */
export type EntryNames = Readonly<Record<keyof SearchEntry, string>>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Entries of a JSON list; what is no list is an error, a member that is no text is blank. @throws WebToolError */
export function entriesOf(name: string, list: unknown, names: EntryNames): readonly SearchEntry[] {
  if (!Array.isArray(list)) throw notResults(name);
  return list.map((item: unknown) => ({
    title: text(member(item, names.title)),
    url: text(member(item, names.url)),
    snippet: text(member(item, names.snippet)),
  }));
}

/** The error for an answer that holds no results in a known form. */
export function notResults(name: string): WebToolError {
  return new WebToolError("web_search.bad-answer", `${name} answered with something that is no list of results.`);
}

/** A JSON answer. @throws WebToolError `web_search.bad-answer` */
export function parseAnswer(name: string, answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw notResults(name);
  }
}
