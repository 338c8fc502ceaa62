import { createRedactor, mapTexts } from "@agent-service/agent-core/host";
import { describeProvenance, type Provenance, type Section } from "@agent-service/config";
import * as v from "valibot";

/** A declared key with what it is now. */
export interface SettingView {
  /** Full dotted key; of an entry of a list `providers.<id>.<field>`. */
  readonly key: string;
  readonly section: Section;
  readonly field: Section["fields"][string];
  readonly secret: boolean;
  /** Of a secret the secret itself: only `isSet` of it may be shown. In others, secrets that are written out are `***`. */
  readonly value: unknown;
  readonly fallback: unknown;
  readonly from: Provenance;
}

/** What views are made of: a part of the loaded configuration. */
export interface LoadedValues {
  readonly values: { readonly [section: string]: unknown };
  readonly provenance: ReadonlyMap<string, Provenance>;
}

/** Every key of the sections, in their order; of a list section every field of every entry. */
export function settingViews(
  sections: readonly Section[],
  { values, provenance }: LoadedValues,
): readonly SettingView[] {
  return sections.flatMap((section) => {
    const value = values[section.name];
    const fallbacks: unknown = section.merge_by === undefined ? v.parse(section.schema, {}) : undefined;
    const view = (prefix: string, holder: unknown, key: string): SettingView => ({
      key: `${prefix}.${key}`,
      section,
      field: section.fields[key] as SettingView["field"],
      secret: section.secrets?.includes(key) === true,
      value: valueAt(holder, key),
      fallback: valueAt(fallbacks, key),
      from: provenance.get(`${prefix}.${key}`) ?? { layer: "default" },
    });
    const keys = Object.keys(section.fields);
    if (section.secretTexts !== undefined) {
      const shown = withoutSecretTexts(section, value);
      return keys.map((key) => view(section.name, section.secrets?.includes(key) === true ? value : shown, key));
    }
    const { merge_by: idField } = section;
    if (idField === undefined) return keys.map((key) => view(section.name, value, key));
    const entries: readonly unknown[] = Array.isArray(value) ? value : [];
    return entries.flatMap((entry) => {
      const prefix = `${section.name}.${String(valueAt(entry, idField))}`;
      return keys.map((key) => view(prefix, entry, key));
    });
  });
}

/** A section's value without the secrets that are written out in its ordinary keys. */
export function withoutSecretTexts(section: Section, value: unknown): unknown {
  const secrets = section.secretTexts?.(value as never, {}) ?? [];
  return secrets.length === 0 ? value : mapTexts(value, createRedactor({ secrets: () => secrets }).known);
}

/** The value at a dotted key, undefined where there is none. */
export function valueAt(value: unknown, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>(
      (at, step) => (typeof at === "object" && at !== null && Object.hasOwn(at, step) ? (at as Tree)[step] : undefined),
      value,
    );
}

export type Tree = { readonly [key: string]: unknown };

/** A value as it may be shown: a secret is blank, whatever it is (B70 rule 4). */
export function toldValue({ secret, value }: Pick<SettingView, "secret" | "value">): unknown {
  return secret ? "" : (value ?? null);
}

/** Whether a secret is there. */
export function isSet({ value }: Pick<SettingView, "value">): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some((one) => isSet({ value: one }));
  return value !== undefined && value !== null && value !== "";
}

/**
 * What keeps a save of a key from counting: a variable that overrides files, or a flag (O6). A variable that only
 * is used where no file has a value owns nothing.
 */
export function ownerOf({ section, key, from }: Pick<SettingView, "section" | "key" | "from">): string | undefined {
  if (from.layer === "flag") return `--${from.flag}`;
  if (from.layer !== "env") return undefined;
  return section.variables?.[key.slice(section.name.length + 1)]?.mode === "override" ? from.variable : undefined;
}

/** Where a value comes from, in the API's words. */
export function sourceOf(from: Provenance): {
  readonly layer: "default" | "host" | "agent" | "secrets" | "env" | "flag";
  readonly source: string;
} {
  const layer = from.layer === "file" ? "agent" : from.layer;
  return { layer, source: from.layer === "default" ? "" : describeProvenance(from) };
}

/** A setting as the API and the command line show it. */
export interface ExplainedValue extends ReturnType<typeof sourceOf> {
  readonly key: string;
  readonly value: unknown;
  readonly secret: boolean;
  /** Of a secret: there is one; else: a layer has a value. */
  readonly is_set: boolean;
}

/** A setting with where it comes from, and no secret. */
export function explainedValue(view: SettingView): ExplainedValue {
  const { key, secret, from } = view;
  const is_set = secret ? isSet(view) : from.layer !== "default";
  return { key, value: toldValue(view), secret, is_set, ...sourceOf(from) };
}

/** Whether `settings.hidden` drops a key: the key itself or the start of it is listed (B59 `settings`). */
export function isHidden(hidden: readonly string[], key: string): boolean {
  return hidden.some((one) => key === one || key.startsWith(`${one}.`));
}
