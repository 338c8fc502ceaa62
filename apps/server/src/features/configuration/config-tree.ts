import { isDeepStrictEqual } from "node:util";
import { REDACTED } from "@agent-service/agent-core/host";
import { isSecret, keysOf, objectListItem, type Section, type SettingEdit } from "@agent-service/config";
import { Problem } from "@agent-service/operator-api";
import { type Tree, valueAt, withoutSecretTexts } from "../../settings/index.ts";

type MutableTree = { [key: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);
const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/**
 * The changes of a partial configuration (O6): mappings merge, lists are replaced, `null` removes a
 * setting, a blank secret and an unchanged value change nothing, so that a form may send back all it read.
 * @throws Problem 400 for a section or key that is unknown
 */
export function editsOfTree(sections: readonly Section[], values: Tree, change: Tree): SettingEdit[] {
  return Object.entries(change).flatMap(([name, wanted]) => {
    const section = sections.find((one) => one.name === name);
    if (section === undefined) throw new Problem(400, `There is no section ${name} in this release.`);
    if (section.merge_by !== undefined) return editsOfList(section, section.merge_by, values[name], wanted);
    if (!isTree(wanted)) throw new Problem(400, `${name}: expected a mapping of keys.`);
    const shown = withoutSecretTexts(section, values[name]);
    return leavesOf(section, wanted).flatMap(({ key, value }) => {
      const secret = isSecret(section, key);
      const isUnchanged = [values[name], shown].some((now) => isDeepStrictEqual(value ?? undefined, valueAt(now, key)));
      if (secret ? isBlank(value) : isUnchanged) return [];
      refuseMasked(section, key, value);
      return [{ section: name, key, value: value ?? undefined }];
    });
  });
}

/**
 * What was read without its secrets must not take their place.
 * @throws Problem 400
 */
export function refuseMasked(section: Section, key: string, value: unknown): void {
  if (section.secretTexts === undefined || isSecret(section, key)) return;
  if (JSON.stringify(value ?? null).includes(REDACTED))
    throw new Problem(
      400,
      `${section.name}.${key}: ${REDACTED} stands for a secret that is not shown; write the value itself, or a placeholder.`,
    );
}

/** The keys of a mapping, nested ones dotted. @throws Problem 400 */
function leavesOf(section: Section, tree: Tree, prefix = ""): { readonly key: string; readonly value: unknown }[] {
  const known = new Set(keysOf(section.schema).map(({ key }) => key));
  return Object.entries(tree).flatMap(([name, value]) => {
    const key = prefix + name;
    if (known.has(key)) return [{ key, value }];
    const nests = [...known].some((one) => one.startsWith(`${key}.`));
    if (nests && isTree(value)) return leavesOf(section, value, `${key}.`);
    throw new Problem(
      400,
      nests ? `${section.name}.${key}: expected a mapping of keys.` : `There is no setting ${section.name}.${key}.`,
    );
  });
}

function editsOfList(section: Section, idField: string, now: unknown, wanted: unknown): SettingEdit[] {
  const { name } = section;
  if (!Array.isArray(wanted)) throw new Problem(400, `${name}: expected a list.`);
  const item = objectListItem(section.schema);
  const keys = item === undefined ? [] : keysOf(item);
  const old: readonly unknown[] = Array.isArray(now) ? now : [];
  const secretEdits: SettingEdit[] = [];
  const entries = wanted.map((entry: unknown) => {
    const id = valueAt(entry, idField);
    if (!isTree(entry) || typeof id !== "string") throw new Problem(400, `${name}: every entry needs ${idField}.`);
    const kept: MutableTree = {};
    for (const [field, value] of Object.entries(entry)) {
      const known = keys.find(({ key }) => key === field);
      if (known === undefined) throw new Problem(400, `There is no setting ${name}.${id}.${field}.`);
      if (isSecret(section, field)) {
        if (!isBlank(value)) secretEdits.push({ section: name, entry: id, key: field, value });
      } else if (value !== null && !isDeepStrictEqual(value, known.fallback)) kept[field] = value;
    }
    return kept;
  });
  const bare = (entry: unknown): Tree =>
    Object.fromEntries(
      keys.flatMap(({ key, fallback }) => {
        const value = valueAt(entry, key);
        return isSecret(section, key) || value === undefined || isDeepStrictEqual(value, fallback)
          ? []
          : [[key, value]];
      }),
    );
  const before = old.map(bare);
  if (now !== undefined && isDeepStrictEqual(entries, before)) return secretEdits;
  const removed = before
    .map((entry) => String(entry[idField]))
    .filter((id) => !entries.some((one) => one[idField] === id));
  const inPlace = entryEdits({ name, idField, before, entries });
  if (inPlace !== undefined) {
    const removals = removed.map((entry): SettingEdit => ({ section: name, entry, value: undefined }));
    return [...removals, ...inPlace, ...secretEdits];
  }
  const removedSecrets = removed.flatMap((entry) =>
    (section.secrets ?? []).map((key): SettingEdit => ({ section: name, entry, key, value: undefined })),
  );
  return [{ section: name, value: entries }, ...removedSecrets, ...secretEdits];
}

/** A list before and after, both without secrets and defaults. */
interface ListChange {
  readonly name: string;
  readonly idField: string;
  readonly before: readonly Tree[];
  readonly entries: readonly Tree[];
}

/**
 * The change as changes of single fields, so that what is between them in the file, comments above all, stays.
 * Undefined where the list has to be written anew: nothing of it stays, or the order changes.
 */
function entryEdits({ name, idField, before, entries }: ListChange): SettingEdit[] | undefined {
  const idOf = (entry: Tree): string => String(entry[idField]);
  const ids = entries.map(idOf);
  const kept = before.filter((entry) => ids.includes(idOf(entry)));
  if (kept.length === 0 || new Set(ids).size < ids.length) return undefined;
  if (kept.some((entry, at) => ids[at] !== idOf(entry))) return undefined;
  return entries.flatMap((entry, at) => {
    const was: Tree = kept[at] ?? {};
    const keys = [...new Set([...Object.keys(was), ...Object.keys(entry)])];
    return keys
      .filter((key) => !isDeepStrictEqual(was[key], entry[key]))
      .map((key): SettingEdit => ({ section: name, entry: idOf(entry), key, value: entry[key] }));
  });
}
