import { OperatorApiError } from "@agent-service/operator-api/client";
import { type Draft, enteredValue, type FieldSpec, shownValue } from "../../schema-form/index.ts";

/** The result of reading a draft: the changes to save, and the problems. */
export interface ReadDraft {
  /** By key; null removes a setting. */
  readonly updates: { readonly [key: string]: unknown };
  /** Problems by key. */
  readonly problems: ReadonlyMap<string, string>;
}

/** The entered value of a field, and the saved one when editing began: of a secret, whether there was one. */
export interface DraftEntry {
  readonly entered: string | boolean;
  readonly over: string | boolean;
}

/** The unsaved changes of a section, by key. */
export type SectionDraft = ReadonlyMap<string, DraftEntry>;

export const EMPTY_DRAFT: ReadonlyMap<string, DraftEntry> = new Map();

/** The saved value of a field; of a secret, whether there is one. */
export function standing(field: FieldSpec): string | boolean {
  return field.type === "secret" ? field.is_set === true : shownValue(field);
}

/** Reads the entered values of a section. */
export function readDraft(fields: readonly FieldSpec[], draft: SectionDraft): ReadDraft {
  const updates: Record<string, unknown> = {};
  const problems = new Map<string, string>();
  for (const field of fields) {
    const entry = draft.get(field.key);
    if (entry === undefined) continue;
    const read = enteredValue(field, entry.entered);
    if (read.ok) updates[field.key] = read.value ?? null;
    else problems.set(field.key, read.problem);
  }
  return { updates, problems };
}

/** The entries alone, by key. */
export function enteredIn(draft: SectionDraft): Draft {
  return new Map([...draft].map(([key, { entered }]) => [key, entered]));
}

/** The draft with an entered value; one equal to the saved value is no change. A blank secret keeps the stored one. */
export function withEntered(draft: SectionDraft, field: FieldSpec, entered: string | boolean): SectionDraft {
  const next = new Map(draft);
  if (entered === shownValue(field)) next.delete(field.key);
  else next.set(field.key, { entered, over: draft.get(field.key)?.over ?? standing(field) });
  return next;
}

/** The draft against the current fields: a value that was meanwhile saved elsewhere is no longer a change. */
export function stillOpen(fields: readonly FieldSpec[], draft: SectionDraft): SectionDraft {
  const open = [...draft].filter(([key, { entered }]) => {
    const field = fields.find((one) => one.key === key);
    return field !== undefined && entered !== shownValue(field);
  });
  return open.length === draft.size ? draft : new Map(open);
}

/** The draft after `saved` was saved: what was entered meanwhile stays, over what was saved. */
export function afterSave(fields: readonly FieldSpec[], draft: SectionDraft, saved: SectionDraft): SectionDraft {
  const left = new Map<string, DraftEntry>();
  for (const [key, entry] of draft) {
    const before = saved.get(key);
    if (before === undefined) left.set(key, entry);
    else if (before.entered !== entry.entered) {
      const isSecret = fields.some((field) => field.key === key && field.type === "secret");
      left.set(key, { ...entry, over: isSecret ? before.entered !== "" : before.entered });
    }
  }
  return left;
}

/** Keys of a draft that were changed elsewhere since they were entered: the person chooses which value to keep. */
export function overtaken(fields: readonly FieldSpec[], draft: SectionDraft): ReadonlySet<string> {
  const found = fields.filter((field) => {
    const entry = draft.get(field.key);
    return entry !== undefined && entry.entered !== shownValue(field) && entry.over !== standing(field);
  });
  return new Set(found.map(({ key }) => key));
}

/** The draft after a person chose to keep their value over the current one. */
export function insisted(draft: SectionDraft, field: FieldSpec): SectionDraft {
  const entry = draft.get(field.key);
  return entry === undefined ? draft : new Map(draft).set(field.key, { ...entry, over: standing(field) });
}

/**
 * The problems of a refused save, by field or for the section. The refusal is a list with paths (422), or a text that
 * begins with the key (`model.temperature: expected <=2, got 99`).
 */
export function refusalOf(
  error: unknown,
  keys: readonly string[],
): { readonly byKey: ReadonlyMap<string, string>; readonly rest: boolean } {
  const byKey = new Map<string, string>();
  if (!(error instanceof OperatorApiError)) return { byKey, rest: error !== null && error !== undefined };
  const entries: readonly unknown[] = Array.isArray(error.detail) ? error.detail : [];
  for (const entry of entries) {
    const { loc, msg } = (entry ?? {}) as { readonly loc?: readonly unknown[]; readonly msg?: unknown };
    const key = keys.find((one) => loc?.includes(one));
    if (key !== undefined && typeof msg === "string") byKey.set(key, sentence(msg));
  }
  const named = keys.find((key) => error.message.startsWith(`${key}:`) || error.message.startsWith(`${key} `));
  if (named !== undefined) byKey.set(named, sentence(error.message.slice(named.length).replace(/^:\s*/, "").trim()));
  return { byKey, rest: byKey.size === 0 };
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
