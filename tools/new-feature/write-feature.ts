import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { featureLists, withLine } from "./feature-lists.ts";
import { type FeatureNames, featureNames, withNames } from "./feature-names.ts";

const templates = path.join(import.meta.dirname, "templates");

/** What was written, from the repository's root. */
export interface WrittenFeature {
  readonly created: readonly string[];
  /** The lists that have one line more. */
  readonly changed: readonly string[];
}

/** The number of the next migration, as the file names have it. */
function nextMigration(root: string): string {
  const numbers = readdirSync(path.join(root, "packages/agent-core/migrations")).map((file) =>
    Number.parseInt(file, 10),
  );
  return String(Math.max(...numbers.filter(Number.isInteger)) + 1).padStart(4, "0");
}

/** A letter that opens no other screen of the console: one of the name, else any. */
function freeKey(root: string, { kebab }: FeatureNames): string {
  const features = path.join(root, "apps/console/src/features");
  const taken = new Set(
    readdirSync(features).flatMap((feature) => {
      const index = path.join(features, feature, "index.ts");
      return existsSync(index) ? (/^ {2}key: "(.)"/m.exec(readFileSync(index, "utf8"))?.[1] ?? []) : [];
    }),
  );
  const letters = [...kebab.replaceAll("-", ""), ..."abcdefghijklmnopqrstuvwxyz0123456789"];
  const key = letters.find((letter) => !taken.has(letter));
  if (key === undefined) throw new Error("every letter opens a screen already");
  return key;
}

/**
 * Writes a feature into the repository at `root`: new files from the templates, and one line in each list.
 * @throws Error for a name that is taken or not kebab case; nothing is written then
 */
export function writeFeature(root: string, name: string): WrittenFeature {
  const names = featureNames(name);
  const filled = { SCREEN_KEY: freeKey(root, names), NNNN: nextMigration(root) };
  const fill = (text: string): string =>
    withNames(text, names).replace(/SCREEN_KEY|NNNN/g, (word) => filled[word as keyof typeof filled]);
  const files = readdirSync(templates, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ to: fill(path.relative(templates, file)), text: fill(readFileSync(file, "utf8")) }));
  const lists = featureLists.map(({ file, line, at }) => {
    const text = withLine(readFileSync(path.join(root, file), "utf8"), line(names), at);
    return { to: file, text };
  });
  const taken = files.find(({ to }) => existsSync(path.join(root, to)));
  if (taken !== undefined) throw new Error(`${taken.to} exists already: choose another name`);
  for (const { to, text } of [...files, ...lists]) {
    mkdirSync(path.dirname(path.join(root, to)), { recursive: true });
    writeFileSync(path.join(root, to), text);
  }
  return { created: files.map(({ to }) => to), changed: lists.map(({ to }) => to) };
}
