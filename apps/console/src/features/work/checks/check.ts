/** A check (`check` with `check_args`, or `verifier`), as a person chooses it. */

/** A check as it is sent; null: nothing is asked. */
export type Check = { readonly [key: string]: unknown } | null;

const KINDS = {
  none: "Nothing: run each time",
  page: "Whether a page holds a text",
  change: "Whether a page changes",
  json: "Another check, as JSON",
} as const;
export type CheckKind = keyof typeof KINDS;

/** Kinds as options of a select. */
export function optionsOf(
  kinds: readonly CheckKind[],
): readonly { readonly value: CheckKind; readonly label: string }[] {
  return kinds.map((value) => ({ value, label: KINDS[value] }));
}

/** What a person has entered of a check; what belongs to another kind stays while they choose. */
export interface CheckDraft {
  readonly kind: CheckKind;
  readonly url: string;
  readonly contains: string;
  readonly json: string;
}

export const NO_CHECK: CheckDraft = { kind: "none", url: "", contains: "", json: "" };

/** A check as it is shown in a form. */
export function draftOf(given: Check): CheckDraft {
  if (given === null) return NO_CHECK;
  const json = JSON.stringify(given, null, 2);
  const { check, check_args: args, ...more } = given;
  const { url, contains, ...others } = (args ?? {}) as { readonly [name: string]: unknown };
  const isPage = check === "core:url" && typeof url === "string" && typeof contains === "string";
  if (!isPage || Object.keys({ ...more, ...others }).length > 0) return { ...NO_CHECK, kind: "json", json };
  return { kind: "page", url, contains, json };
}

/** What is sent; undefined: it is not whole yet, or no JSON object. */
export function checkOf({ kind, url, contains, json }: CheckDraft): Check | undefined {
  if (kind === "none") return null;
  if (kind === "page") {
    if (url.trim() === "" || contains === "") return undefined;
    return { check: "core:url", check_args: { url: url.trim(), contains } };
  }
  if (kind === "change") return url.trim() === "" ? undefined : { check: "core:url", check_args: { url: url.trim() } };
  try {
    const read: unknown = JSON.parse(json);
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as NonNullable<Check>;
  } catch {
    // Not whole yet.
  }
  return undefined;
}
