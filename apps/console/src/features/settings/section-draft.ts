import { OperatorApiError } from "@agent-service/operator-api/client";
import { type Draft, enteredValue, type FieldSpec, shownValue } from "../../schema-form/index.ts";

/** A draft read: what to save of it, and what cannot be. */
export interface ReadDraft {
  /** By key; null removes a setting. */
  readonly updates: { readonly [key: string]: unknown };
  /** Why what stands in a field is no value, by key. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Reads what a person entered into the fields of a section. */
export function readDraft(fields: readonly FieldSpec[], draft: Draft): ReadDraft {
  const updates: Record<string, unknown> = {};
  const problems = new Map<string, string>();
  for (const field of fields) {
    const entered = draft.get(field.key);
    if (entered === undefined) continue;
    const read = enteredValue(field, entered);
    if (read.ok) updates[field.key] = read.value ?? null;
    else problems.set(field.key, read.problem);
  }
  return { updates, problems };
}

/** The draft with something entered; what is as it was before is no change. A blank secret keeps the stored one. */
export function withEntered(draft: Draft, field: FieldSpec, entered: string | boolean): Draft {
  const next = new Map(draft);
  if (entered === shownValue(field)) next.delete(field.key);
  else next.set(field.key, entered);
  return next;
}

/**
 * Where the service's refusal belongs: at its field, or at the section. It is a list with places (422), or a text that
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

function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
