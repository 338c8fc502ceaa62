import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Markdown, parseMarkdown } from "./markdown.ts";

/** What the checks may ask of the repository, so that they can be tried on one that is made up. */
export interface Repository {
  /** Whether a path from the root exists, as a file or a folder. */
  has(file: string): boolean;
  /** The text of a file; undefined where there is none. */
  read(file: string): string | undefined;
}

/** The working tree below `root`. */
export function repositoryAt(root: string): Repository {
  return {
    has: (file) => existsSync(path.join(root, file)),
    read: (file) => {
      try {
        return readFileSync(path.join(root, file), "utf8");
      } catch {
        return undefined;
      }
    },
  };
}

/** A repository held in memory; a folder exists when something lies in it. */
export function repositoryOf(files: Readonly<Record<string, string>>): Repository {
  const names = Object.keys(files);
  return {
    has: (file) => names.some((name) => name === file || name.startsWith(`${file.replace(/\/$/, "")}/`)),
    read: (file) => files[file],
  };
}

/** The Markdown files people read, out of a list of paths: changesets and generated change logs are left out. */
export function documentsOf(repository: Repository, files: readonly string[]): readonly Markdown[] {
  return files
    .filter((file) => file.endsWith(".md") && !/(^|\/)(\.changeset|CHANGELOG\.md)/.test(file))
    .map((file) => parseMarkdown(file, repository.read(file) ?? ""));
}
