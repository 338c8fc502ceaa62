import { defineFeature, featureKey } from "../feature/index.ts";
import { type Fence, projectsSection } from "../fence/index.ts";
import { filesystemSection } from "./filesystem-section.ts";
import { listDir } from "./list-dir.ts";
import { listProjects } from "./list-projects.ts";
import { readFile } from "./read-file.ts";
import { SeenFiles } from "./seen-files.ts";

/** The agent's tools that read files of projects. Other features reach files through its fence. */
export function filesystem({ fence }: { readonly fence: Fence }) {
  return defineFeature({
    name: "filesystem",
    category: "files",
    sections: [filesystemSection, projectsSection],
    open: () => ({ fence, seen: new SeenFiles() }),
    tools: ({ seen }) => [listProjects(fence), readFile(fence, seen), listDir(fence)],
  });
}

/** What other features need of it. */
export const files = featureKey<"filesystem", { readonly fence: Fence; readonly seen: SeenFiles }>("filesystem");
