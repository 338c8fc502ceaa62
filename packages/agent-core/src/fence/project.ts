import { relative, sep } from "node:path";
import type { Identity } from "./identity.ts";

/** Where a project is declared: the registry, the section `filesystem`, or nowhere. */
export type ProjectSource = "projects" | "filesystem" | "workspace";

/** A folder the agent may work in. */
export interface Project {
  readonly name: string;
  /** Absolute, as configured. */
  readonly path: string;
  /** The real path; undefined where there was no folder when the settings were read. */
  readonly root: string | undefined;
  readonly identity: Identity | undefined;
  readonly write: boolean;
  readonly noDelete: boolean;
  /** False: no tool reaches it. */
  readonly fs: boolean;
  readonly scmRepo: string;
  readonly defaultBranch: string;
  readonly source: ProjectSource;
}

/** A project that is there and that tools reach. */
export type ReachableProject = Project & { readonly root: string };

/** The part of `path` below `root`, without a slash at its start; undefined where it lies elsewhere. */
export function below(root: string, path: string): string | undefined {
  const rest = relative(root, path);
  return rest === ".." || rest.startsWith(`..${sep}`) ? undefined : rest;
}

/** The projects, as one value that changed settings replace. Their names are compared without case. */
export class ProjectRegistry {
  /** All of them, also those without a folder and those no tool reaches. */
  readonly all: readonly Project[];
  /** What tools may name. */
  readonly reachable: readonly ReachableProject[];

  constructor(projects: readonly Project[]) {
    this.all = projects;
    this.reachable = projects.filter(
      (project): project is ReachableProject => project.root !== undefined && project.fs,
    );
  }

  find(name: string): ReachableProject | undefined {
    const wanted = name.toLowerCase();
    return this.reachable.find((project) => project.name.toLowerCase() === wanted);
  }

  /** The reachable project, `named` or the one with the longest path, that holds an absolute path; the rest in it. */
  holding(path: string, named?: ReachableProject) {
    let longest: { readonly project: ReachableProject; readonly rest: string; readonly length: number } | undefined;
    for (const project of named === undefined ? this.reachable : [named])
      for (const root of [project.root, project.path]) {
        const rest = below(root, path);
        if (rest !== undefined && root.length > (longest?.length ?? -1))
          longest = { project, rest, length: root.length };
      }
    return longest;
  }

  /**
   * The projects whose root this folder is. Several share its rights (FE5): what one of them forbids is forbidden.
   */
  rootedAt(identity: Identity, path: string): readonly Project[] {
    return this.all.filter((project) => project.identity === identity || project.root === path);
  }
}
