import { defineFeature, featureKey } from "../feature/index.ts";
import { type Fence, projectsSection } from "../fence/index.ts";
import { filesystemSection } from "./filesystem-section.ts";
import { findFiles } from "./find-files.ts";
import { listDir } from "./list-dir.ts";
import { listProjects } from "./list-projects.ts";
import type { IsCloned } from "./path-arguments.ts";
import { readFile } from "./read-file.ts";
import { searchFiles } from "./search-files.ts";
import { SeenFiles } from "./seen-files.ts";
import { showCode } from "./show-code.ts";
import { TreeThreads } from "./tree-threads.ts";

export interface FilesystemOptions {
  readonly fence: Fence;
  /** Default: nothing is. Asked at each call. */
  readonly isCloned?: IsCloned;
}

/** The agent's tools that read files of projects. Other features reach files through its fence. */
export function filesystem({ fence, isCloned = () => false }: FilesystemOptions) {
  return defineFeature({
    name: "filesystem",
    category: "files",
    sections: [filesystemSection, projectsSection],
    open: () => ({ fence, seen: new SeenFiles() }),
    tools({ seen }) {
      const threads = new TreeThreads();
      return [
        listProjects(fence),
        readFile(fence, seen, isCloned),
        listDir(fence, isCloned),
        findFiles(fence, threads, isCloned),
        searchFiles(fence, threads, isCloned),
        showCode(fence),
      ];
    },
  });
}

/** What other features need of it. */
export const files = featureKey<"filesystem", { readonly fence: Fence; readonly seen: SeenFiles }>("filesystem");
