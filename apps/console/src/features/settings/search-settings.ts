import type { FieldGroup } from "../../schema-form/index.ts";

/** The groups with those of their fields that match every term of a search. */
export function searchSettings(groups: readonly FieldGroup[], search: string): readonly FieldGroup[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return groups;
  return groups.flatMap((group) => {
    const fields = group.fields.filter(({ key, label, description }) => {
      const text = `${group.category} ${sectionTitle(group.section)} ${key} ${label} ${description}`.toLowerCase();
      return terms.every((term) => text.includes(term));
    });
    return fields.length === 0 ? [] : [{ ...group, fields }];
  });
}

/** Titles of sections whose name cannot be turned into one. */
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
  const title = section.replaceAll("_", " ");
  return TITLES[section] ?? title.charAt(0).toUpperCase() + title.slice(1);
}
