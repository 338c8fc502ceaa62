import type { Section } from "../section/index.ts";

/**
 * Every secret text inside a section's value, for a redactor. Addresses inside structured credentials are not secret. A
 * section with `secretTexts` says itself which are.
 */
export function secretValues(
  section: Section,
  value: unknown,
  environment: { readonly [variable: string]: string | undefined } = {},
): string[] {
  // The value is of the section's own schema.
  if (section.secretTexts !== undefined) return [...new Set(section.secretTexts(value as never, environment))];
  const holders = Array.isArray(value) ? value : [value];
  const found = holders.flatMap((holder) =>
    (section.secrets ?? []).flatMap((key) => texts(key.split(".").reduce<unknown>(step, holder))),
  );
  return [...new Set(found)];
}

function step(at: unknown, key: string): unknown {
  return typeof at === "object" && at !== null ? (at as { [key: string]: unknown })[key] : undefined;
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return value.trim() === "" || /^https?:\/\//.test(value) ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}
