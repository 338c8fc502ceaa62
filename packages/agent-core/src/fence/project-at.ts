import { realpathSync, statSync } from "node:fs";
import { identityOf } from "./identity.ts";
import type { Project } from "./project.ts";

/** What is configured of a project; the rest has the defaults of a project that may be written. */
export type ProjectDeclaration = Pick<Project, "name" | "path"> &
  Partial<Omit<Project, "name" | "path" | "root" | "identity">>;

/** Looks at the folder of a declared project. One that is missing, or no folder, has no root. */
export function projectAt(declared: ProjectDeclaration): Project {
  const defaults = { write: true, noDelete: false, fs: true, scmRepo: "", defaultBranch: "main" } as const;
  return { ...defaults, source: "projects", ...declared, ...folderAt(declared.path) };
}

function folderAt(path: string): Pick<Project, "root" | "identity"> {
  try {
    const root = realpathSync(path);
    const stat = statSync(root, { bigint: true });
    if (stat.isDirectory()) return { root, identity: identityOf(stat) };
  } catch {
    // Whoever shows projects says that it is missing.
  }
  return { root: undefined, identity: undefined };
}
