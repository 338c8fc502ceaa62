import { featureLocations } from "./architecture-plan.ts";
import type { ParsedFile } from "./parsed-file.ts";
import { isTestFile, targetOf } from "./source-path.ts";
import type { Violation } from "./violation.ts";

/** The feature's folder that holds a path; undefined outside of features. */
function featureOf(path: string, folders: ReadonlyMap<string, readonly string[]>): string | undefined {
  return [...folders.keys()].find((folder) => path.startsWith(`${folder}/`));
}

/** Every feature's folder, with the files that may name it. */
function featureFolders(files: readonly ParsedFile[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, readonly string[]>();
  for (const { path } of files) {
    for (const { folder, lists } of featureLocations) {
      const found = folder.exec(path)?.[1];
      if (found !== undefined) folders.set(found, lists);
    }
  }
  return folders;
}

/**
 * Rule 3: a feature's folder is imported by its list and by features that need it, by nothing else. Tests, and what only
 * they and the proofs use, are free: they use whatever they test.
 */
export function featureRule(files: readonly ParsedFile[]): readonly Violation[] {
  const folders = featureFolders(files);
  return files.flatMap(({ path, requests }) => {
    const isForTests = isTestFile(path) || path.includes("/testing/") || path.startsWith("test/");
    if (isForTests || featureOf(path, folders) !== undefined) return [];
    return requests.flatMap(({ specifier, line }) => {
      const target = targetOf(path, specifier);
      const feature = target === undefined ? undefined : featureOf(target, folders);
      if (feature === undefined || folders.get(feature)?.includes(path)) return [];
      const lists = folders.get(feature)?.join(" and ");
      return [
        { file: path, line, message: `names the feature ${feature}: only ${lists} may, and features that need it` },
      ];
    });
  });
}
