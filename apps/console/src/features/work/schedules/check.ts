/** The check before each run of a schedule (`only_if`), as a person chooses it. */
import type { ScheduledJob } from "./slot-words.ts";

export type OnlyIf = ScheduledJob["only_if"];

/** What is asked before a run. */
export const CHECKS = [
  { value: "none", label: "Nothing: run each time" },
  { value: "page", label: "Whether a page holds a text" },
  { value: "json", label: "Another check, as JSON" },
] as const;
export type CheckKind = (typeof CHECKS)[number]["value"];

/** What a person has entered of a check; what belongs to another kind stays while they choose. */
export interface CheckDraft {
  readonly kind: CheckKind;
  readonly url: string;
  readonly contains: string;
  readonly json: string;
}

const NONE: CheckDraft = { kind: "none", url: "", contains: "", json: "" };

/** A job's check as it is shown in a form. */
export function draftOf(onlyIf: OnlyIf): CheckDraft {
  if (onlyIf === null) return NONE;
  const json = JSON.stringify(onlyIf, null, 2);
  const { check, check_args: args, ...more } = onlyIf;
  const { url, contains, ...others } = (args ?? {}) as { readonly [name: string]: unknown };
  const isPage = check === "core:url" && typeof url === "string" && typeof contains === "string";
  if (!isPage || Object.keys({ ...more, ...others }).length > 0) return { ...NONE, kind: "json", json };
  return { kind: "page", url, contains, json };
}

/** What is sent; undefined: it is not whole yet, or no JSON object. */
export function onlyIfOf({ kind, url, contains, json }: CheckDraft): OnlyIf | undefined {
  if (kind === "none") return null;
  if (kind === "page") {
    if (url.trim() === "" || contains === "") return undefined;
    return { check: "core:url", check_args: { url: url.trim(), contains } };
  }
  try {
    const read: unknown = JSON.parse(json);
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as NonNullable<OnlyIf>;
  } catch {
    // Not whole yet.
  }
  return undefined;
}
