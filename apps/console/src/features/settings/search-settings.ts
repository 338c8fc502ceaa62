import type { FieldGroup } from "../../schema-form/index.ts";

/** The groups with those of their fields that match every term of a search. */
export function searchSettings(
  groups: readonly FieldGroup[],
  search: string,
  /** The heading of a category for people. */
  headingOf: (category: string) => string,
): readonly FieldGroup[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return groups;
  return groups.flatMap((group) => {
    const fields = group.fields.filter(({ key, label, description }) => {
      const text = [headingOf(group.category), group.title, key, label, description].join(" ").toLowerCase();
      return terms.every((term) => text.includes(term));
    });
    return fields.length === 0 ? [] : [{ ...group, fields }];
  });
}
