/**
 * The fence: the one way from a path that a model, a person or a program names to a file of a project.
 *
 * - FE1 A path is walked from the root of a project, one component at a time; nothing leads out of the root.
 * - FE2 What is decided is decided about what was opened, and every later call names its folder by what is held.
 * - FE3 Writing replaces: a hard link is broken by it, never written through.
 * - FE4 Protected places are known by device and number.
 * - FE5 Of overlapping roots the deepest one that holds the file decides.
 * - FE6 Names are folded where a name denies.
 * - FE7 Nothing of git's own is written; its settings and credentials are not read.
 */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { FenceRefusal } from "./fence-refusal.ts";
import { type Holding, holdingOfPlatform } from "./folder.ts";
import { type Access, Located } from "./located.ts";
import type { ProjectRegistry, ReachableProject } from "./project.ts";
import type { ProtectedPlaces } from "./protected-places.ts";
import { walk } from "./walk.ts";

const MAX_PATH_BYTES = 4_096;

/** What is asked of a fence. */
export interface FenceRequest {
  /** May be left out where there is one project, or the path is absolute and lies in one. */
  readonly project?: string | undefined;
  /** Relative to the project's root, absolute, or from `~`. */
  readonly path: string;
  readonly for: Access;
}

/** What a fence stands on. */
export interface FenceOptions {
  /** Asked at each call. */
  readonly projects: () => ProjectRegistry;
  readonly places: () => ProtectedPlaces;
  /** Default: what the platform can. */
  readonly holding?: Holding;
  /** What `~` stands for. Default: the user's home. */
  readonly userHome?: string;
}

interface Target {
  readonly project: ReachableProject;
  readonly rest: string;
}

/** Goes from paths to files of projects. It holds nothing between calls but what it knows of protected places. */
export class Fence {
  readonly holding: Holding;
  readonly #options: FenceOptions;

  constructor(options: FenceOptions) {
    this.#options = options;
    this.holding = options.holding ?? holdingOfPlatform();
  }

  get projects(): ProjectRegistry {
    return this.#options.projects();
  }

  get places(): ProtectedPlaces {
    return this.#options.places();
  }

  /**
   * Goes to what a path names. Whoever calls it closes what it answers.
   * @throws FenceRefusal
   */
  async open(request: FenceRequest): Promise<Located> {
    const { projects, places, holding } = this;
    const { project, rest } = this.#target(projects, request);
    const refuse = (error: unknown): FenceRefusal => refusalOf(error, request.path, project.name);
    try {
      const mayBeMissing = request.for === "write";
      const options = { mayBeMissing, keepLink: request.for === "delete" };
      const walked = await walk({ projects, places, holding }, project, rest.split("/"), options);
      try {
        return await Located.of(walked, { access: request.for, named: project, places, projects, refuse });
      } catch (error) {
        walked.trail.close(walked.entry);
        throw error;
      }
    } catch (error) {
      throw refuse(error);
    }
  }

  /** Which project, and the path in it. */
  #target(projects: ProjectRegistry, { project: name, path: given }: FenceRequest): Target {
    const shown = JSON.stringify(given);
    if (given === "" || given.includes("\0") || Buffer.byteLength(given) > MAX_PATH_BYTES)
      throw new FenceRefusal("fence.bad-path", "a path has 1 to 4096 bytes and no NUL");
    const names = projects.reachable.map((project) => project.name).join(", ");
    const named = name === undefined || name === "" ? undefined : projects.find(name);
    if (name !== undefined && name !== "" && named === undefined)
      throw new FenceRefusal(
        "fence.unknown-project",
        names === "" ? "there are no projects" : `there is no project ${JSON.stringify(name)}: ${names}`,
      );
    const path = /^~(?=\/|$)/.test(given) ? join(this.#options.userHome ?? homedir(), given.slice(1)) : given;
    if (isAbsolute(path)) {
      const holding = projects.holding(path, named);
      if (holding !== undefined) return holding;
      const which = named === undefined ? `every project (${names})` : `project ${named.name}`;
      throw new FenceRefusal("fence.outside", `${shown} is outside of ${which}`);
    }
    const [only, second] = projects.reachable;
    if (named !== undefined) return { project: named, rest: path };
    if (only === undefined) throw new FenceRefusal("fence.unknown-project", "there are no projects");
    if (second !== undefined)
      throw new FenceRefusal("fence.unknown-project", `say in which project ${shown} is: ${names}`);
    return { project: only, rest: path };
  }
}

const SYSTEM_ERRORS: { readonly [code: string]: string } = {
  EACCES: "the operating system does not permit it",
  EPERM: "the operating system does not permit it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** Every refusal names the path as given and the project, and never a resolved path (F3). */
function refusalOf(error: unknown, path: string, project: string): FenceRefusal {
  const where = `${JSON.stringify(path)} in project ${project}`;
  if (error instanceof FenceRefusal) return new FenceRefusal(error.code, `${where}: ${error.message}`);
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  if (code === "ENOENT" || code === "ENOTDIR") return new FenceRefusal("fence.missing", `${where}: it does not exist`);
  return new FenceRefusal("fence.unreadable", `${where}: ${SYSTEM_ERRORS[code] ?? `it cannot be reached (${code})`}`);
}
