import type { Section } from "../section/index.ts";

/** Every secret text inside a section's value, for a redactor. Addresses inside structured credentials are not secret. */
export function secretValues(section: Section, value: unknown): string[] {
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
