import { entryPoints, exportedNames } from "./entry-points.ts";
import type { ParsedFile } from "./parsed-file.ts";
import type { SourceTree } from "./source-tree.ts";
import type { Violation } from "./violation.ts";

/** The public names of a package, by entry point, sorted: what its `public-names.json` holds. */
export type PublicNames = Readonly<Record<string, readonly string[]>>;

/** The public names of every published package, by the path of the file that pins them. */
export function publicNames(tree: SourceTree, parsed: readonly ParsedFile[]): ReadonlyMap<string, PublicNames> {
  const files = new Map(parsed.map((file) => [file.path, file]));
  const found = new Map<string, Record<string, readonly string[]>>();
  for (const { folder, name, file } of entryPoints(tree)) {
    const pin = `${folder}/public-names.json`;
    const names = [...new Set(exportedNames(files.get(file), files))].toSorted();
    found.set(pin, { ...found.get(pin), [name]: names });
  }
  return found;
}

/** The text of a pin file: a name a line, so that a diff shows names. */
export function pinText(names: PublicNames): string {
  return `${JSON.stringify(names, undefined, 2)}\n`;
}

function listed(names: readonly string[]): string {
  return names.length <= 8 ? names.join(", ") : `${names.slice(0, 8).join(", ")} and ${names.length - 8} more`;
}

function differences(file: string, now: PublicNames, pinned: PublicNames): readonly Violation[] {
  return [...new Set([...Object.keys(now), ...Object.keys(pinned)])].flatMap((entry) => {
    const [is, was] = [now[entry] ?? [], pinned[entry] ?? []];
    const added = is.filter((name) => !was.includes(name));
    const removed = was.filter((name) => !is.includes(name));
    if (added.length === 0 && removed.length === 0) return [];
    const changes = [
      ...(added.length === 0 ? [] : [`exports ${listed(added)}`]),
      ...(removed.length === 0 ? [] : [`no longer exports ${listed(removed)}`]),
    ];
    return [{ file, message: `${entry} ${changes.join(" and ")}: if that is meant, run pnpm public-names` }];
  });
}

/** Rule 6: what a package offers is written down in a file that a change of it must edit. */
export function publicNamesRule(tree: SourceTree, parsed: readonly ParsedFile[]): readonly Violation[] {
  return [...publicNames(tree, parsed)].flatMap(([pin, names]) =>
    differences(pin, names, JSON.parse(tree.get(pin) ?? "{}") as PublicNames),
  );
}
