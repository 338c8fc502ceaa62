/**
 * From the root of a project to what a path names, one component at a time (FE1): `..` leaves a folder that is held, a
 * link is read and resolved here, and nothing leads out of the root. What is decided is decided about what was opened.
 */
import { statfs } from "node:fs/promises";
import { isGitSecret, isKernelFileSystem, isSecretLikeName } from "../file-name/index.ts";
import { FenceRefusal } from "./fence-refusal.ts";
import { closeEntry, type Entry, Folder, type Holding } from "./folder.ts";
import { identityOf } from "./identity.ts";
import { below, type ProjectRegistry, type ReachableProject } from "./project.ts";
import type { Look, ProtectedPlaces } from "./protected-places.ts";
import { similarNames } from "./similar-names.ts";
import { Trail } from "./trail.ts";

const MAX_LINKS = 40;

export interface WalkRules {
  readonly projects: ProjectRegistry;
  readonly places: ProtectedPlaces;
  readonly holding: Holding;
}

export interface WalkOptions {
  /** A link at the end is what is meant, not what it names. */
  readonly keepLink?: boolean;
  /** What is missing at the end, with the folders above it, is no refusal. */
  readonly mayBeMissing?: boolean;
}

/** Where a walk ended: in a folder, or at a name in one. All of it is open until `trail.close(entry)`. */
export interface Walked {
  readonly trail: Trail;
  /** Undefined: the folder itself is what the path names. */
  readonly name: string | undefined;
  /** What lies under the name; undefined where nothing does. */
  readonly entry: Entry | undefined;
  /** Folders that are missing between the folder and the name. */
  readonly missing: readonly string[];
}

/** @throws FenceRefusal whose message says why and names nothing; errors of the operating system as they are */
export async function walk(
  { projects, places, holding }: WalkRules,
  project: ReachableProject,
  path: readonly string[],
  { keepLink = false, mayBeMissing = false }: WalkOptions = {},
): Promise<Walked> {
  const rest = path.filter((name) => name !== "" && name !== ".");
  rest.forEach(checkName);
  const { places: protectedPlaces, names } = await places.look();
  const trail = new Trail(projects, await openRoot(project, holding), project);
  let links = 0;
  let held: Entry | undefined;
  try {
    for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
      if (name === "..") {
        trail.leave();
        continue;
      }
      if (isGitSecret(trail.to(name))) throw new FenceRefusal("fence.denied", "it may hold credentials of git");
      if (names.get(trail.folder.identity)?.has(name) === true) throw missing();
      held = await lookFor(trail.folder, name);
      if (held === undefined) {
        if (!mayBeMissing || rest.includes("..")) throw await missingIn(trail.folder, name, names);
        const folders = [name, ...rest];
        return { trail, name: folders.pop()!, entry: undefined, missing: folders };
      }
      if (protectedPlaces.has(identityOf(held.stat))) throw missing();
      const isLast = rest.length === 0;
      if (held.stat.isDirectory()) {
        if (held.stat.dev !== trail.folder.stat.dev) await checkFileSystem(trail.folder.at(name));
        trail.enter(name, held);
        held = undefined;
      } else if (held.stat.isSymbolicLink() && !(isLast && keepLink)) {
        if (++links > MAX_LINKS) throw new FenceRefusal("fence.missing", "too many links lead to it");
        const target = await linkedFrom(trail, name, project);
        closeEntry(held);
        held = undefined;
        rest.unshift(...target);
      } else if (isLast) {
        return { trail, name, entry: held, missing: [] };
      } else throw missing();
    }
    return { trail, name: undefined, entry: undefined, missing: [] };
  } catch (error) {
    trail.close(held);
    throw error;
  }
}

async function openRoot({ root }: ReachableProject, holding: Holding): Promise<Folder> {
  try {
    return await Folder.openRoot(root, holding);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") throw error;
    throw new FenceRefusal("fence.missing", "the project's folder is gone");
  }
}

function missing(): FenceRefusal {
  return new FenceRefusal("fence.missing", "it does not exist");
}

/** Names what somebody may have meant, where the folder can be read. */
async function missingIn(folder: Folder, name: string, hidden: Look["names"]): Promise<FenceRefusal> {
  const similar = await similarNames(folder, name, hidden.get(folder.identity)).catch(() => []);
  if (similar.length === 0) return missing();
  const names = similar.map((found) => JSON.stringify(found)).join(", ");
  return new FenceRefusal("fence.missing", `it does not exist; there is ${names}`);
}

/** Before existence is looked at (F4). */
function checkName(name: string): void {
  if (isSecretLikeName(name)) throw new FenceRefusal("fence.denied", "names like this hold secrets");
}

async function lookFor(folder: Folder, name: string): Promise<Entry | undefined> {
  try {
    return await folder.look(name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
    throw error;
  }
}

/** The components that a link stands for; an absolute one counts from the root, where it leads into it. */
async function linkedFrom(trail: Trail, name: string, { root, path }: ReachableProject): Promise<readonly string[]> {
  const bytes = await trail.folder.readLink(name);
  const target = bytes.toString();
  if (!Buffer.from(target).equals(bytes)) throw missing();
  let components = target.split("/");
  if (target.startsWith("/")) {
    const within = below(root, target) ?? below(path, target);
    if (within === undefined) throw new FenceRefusal("fence.outside", "a link leads out of the project");
    trail.toRoot();
    components = within.split("/");
  }
  const named = components.filter((component) => component !== "" && component !== ".");
  named.forEach(checkName);
  return named;
}

async function checkFileSystem(path: string): Promise<void> {
  const { type } = await statfs(path);
  if (isKernelFileSystem(type)) throw missing();
}
