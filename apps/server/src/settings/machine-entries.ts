/** Removal of entries from lists whose entries merge over the layers by id (B51 `providers`). */
import { describeProvenance, type Section, type SettingEdit } from "@agent-service/config";
import { Problem } from "@agent-service/operator-api";
import { valueAt } from "./setting-views.ts";
import type { ServerSettings } from "./settings.ts";

type LoadedLists = Pick<ServerSettings, "loaded" | "provenance">;

/**
 * The edits, with the list removed where they remove its last entry from the agent's file: an empty list would hide what the
 * host's file names (rule 3), and removing the list would also remove the overlay's secrets of these entries.
 */
export function keepMachineEntries(
  sections: readonly Section[],
  { loaded, provenance }: LoadedLists,
  edits: readonly SettingEdit[],
): readonly SettingEdit[] {
  const removed = edits.filter(
    ({ entry, key, value }) => entry !== undefined && key === undefined && value === undefined,
  );
  const name = removed[0]?.section;
  const idField = idFieldOf(sections, name);
  if (name === undefined || idField === undefined) return edits;
  if (edits.some((edit) => edit.section === name && !removed.includes(edit))) return edits;
  const left = idsIn(valueAt(loaded.values, name), idField).filter((id) => !removed.some(({ entry }) => entry === id));
  const isMachines = (id: string): boolean => provenance.get(`${name}.${id}.${idField}`)?.layer === "host";
  return left.length > 0 && left.every(isMachines) ? [...edits, { section: name, value: null }] : edits;
}

/** Refuses to remove an entry that another layer has too: it would remain. @throws Problem 400 */
export function refuseStaying(
  sections: readonly Section[],
  { loaded, provenance }: LoadedLists,
  edits: readonly SettingEdit[],
): void {
  for (const { section: name, entry, key, value } of edits) {
    const idField = idFieldOf(sections, name);
    const isReset = entry === undefined && value === undefined;
    if (idField === undefined || key !== undefined || isReset) continue;
    const wanted = idsIn(value, idField);
    const staying = idsIn(valueAt(loaded.values, name), idField).find((id) =>
      entry === undefined ? !wanted.includes(id) : id === entry,
    );
    if (staying === undefined) continue;
    const from = provenance.get(`${name}.${staying}.${idField}`);
    const where = from === undefined ? "another file" : describeProvenance(from);
    throw new Problem(400, `${name}.${staying} comes from ${where}: it can be removed there only.`);
  }
}

function idFieldOf(sections: readonly Section[], name: string | undefined): string | undefined {
  return sections.find((section) => section.name === name)?.merge_by;
}

function idsIn(list: unknown, idField: string): readonly string[] {
  return Array.isArray(list) ? list.map((one) => String(valueAt(one, idField))) : [];
}
