import { safeParse } from "valibot";
import { isOptional, keysOf, objectEntries, objectListItem, unwrap } from "./schema-shape.ts";
import type { Section } from "./section.ts";

/**
 * What is wrong with a section's declaration, as sentences for its author; empty: nothing. Checked: every key has a
 * description and a default that its own schema accepts, nothing is described that does not exist, secrets and variables
 * name existing keys, and bounds in the description are those of the schema.
 */
export function verifySection(section: Section): string[] {
  const faults: string[] = [];
  const item = section.merge_by === undefined ? undefined : objectListItem(section.schema);
  if (section.merge_by !== undefined && item === undefined)
    faults.push(`${section.name}: merge_by needs a list of objects`);
  if (section.merge_by === undefined && objectEntries(section.schema) === undefined)
    faults.push(`${section.name}: the schema is not an object`);
  const keys = keysOf(item ?? section.schema);
  const known = new Set(keys.map(({ key }) => key));
  for (const name of [
    ...Object.keys(section.fields),
    ...(section.secrets ?? []),
    ...Object.keys(section.variables ?? {}),
    ...(section.required ?? []),
  ])
    if (!known.has(name)) faults.push(`${section.name}.${name}: no such key`);
  for (const { key, schema, fallback } of keys) {
    const path = `${section.name}.${key}`;
    const field = section.fields[key];
    if (field === undefined) faults.push(`${path}: not described`);
    const needed = item !== undefined && (key === section.merge_by || section.required?.includes(key) === true);
    if (!isOptional(schema) && !needed) faults.push(`${path}: no default`);
    if (fallback !== undefined && !safeParse(schema, fallback).success) faults.push(`${path}: refuses its own default`);
    if ((field?.type === "secret") !== (section.secrets?.includes(key) === true))
      faults.push(`${path}: secret in one place only`);
    for (const [bound, step] of [
      [field?.minimum, -1],
      [field?.maximum, 1],
    ] as const) {
      if (bound === undefined) continue;
      if (!safeParse(unwrap(schema), bound).success) faults.push(`${path}: refuses its own bound ${bound}`);
      if (safeParse(unwrap(schema), bound + step).success) faults.push(`${path}: accepts beyond its bound ${bound}`);
    }
    for (const option of field?.options ?? [])
      if (!safeParse(unwrap(schema), option).success) faults.push(`${path}: refuses its own option ${option}`);
  }
  if (!safeParse(section.schema, item === undefined ? {} : undefined).success)
    faults.push(`${section.name}: refuses to be left out`);
  return faults;
}
