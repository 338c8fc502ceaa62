import type { FieldGroup } from "../../schema-form/index.ts";

/** The groups with those of their fields that hold every word of a search, in any of their words. */
export function searchSettings(groups: readonly FieldGroup[], search: string): readonly FieldGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups.flatMap((group) => {
    const fields = group.fields.filter(({ key, label, description }) => {
      const text = `${group.category} ${sectionTitle(group.section)} ${key} ${label} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return fields.length === 0 ? [] : [{ ...group, fields }];
  });
}

/** Names of sections that are no plain words. */
const TITLES: Readonly<Record<string, string>> = {
  a2a: "A2A",
  auth: "Access",
  egress: "Outgoing requests",
  checkpoint: "Store",
  middleware: "Parts",
  soul: "Persona",
};

/** A section's name for people: `web_search` is "Web search". */
export function sectionTitle(section: string): string {
  const words = section.replaceAll("_", " ");
  return TITLES[section] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
