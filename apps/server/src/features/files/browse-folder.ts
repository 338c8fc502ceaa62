/** Names in folders of the machine, for an operator who chooses one (F23). It reaches outside of the fence: names only. */
import { lstat, opendir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isSecretLike, type ReachableProject } from "@agent-service/agent-core/host";
import { type FilesService, Problem } from "@agent-service/operator-api";

type Query = Parameters<FilesService["browse"]>[0];
type Folder = Awaited<ReturnType<FilesService["browse"]>>;
type Entry = Folder["entries"][number];

const MAX_ENTRIES = 1_000;
/** Names looked at: of a folder with more, the first ones that the system lists. */
const MAX_LOOKED_AT = 20_000;

interface Places {
  readonly projects: readonly Pick<ReachableProject, "name" | "root">[];
  /** What `~` stands for. Default: the user's home. */
  readonly userHome?: string;
}

/** @throws Problem 400, 403, 404 */
export async function browseFolder(query: Query, { projects, userHome = homedir() }: Places): Promise<Folder> {
  const path = absolute(query.path, userHome);
  try {
    const real = await realpath(path);
    if (isSecretLike(path) || isSecretLike(real)) throw new Problem(403, "Folders of this name hold secrets.");
    if (!(await stat(path)).isDirectory()) throw new Problem(400, "This is no folder.");
    const { names, isCut } = await namesIn(path, query);
    const shown = names.toSorted(byKindAndName).slice(0, MAX_ENTRIES);
    return {
      path,
      parent: path === "/" ? null : dirname(path),
      entries: shown,
      truncated: isCut || names.length > shown.length,
      roots: [
        { label: "Home", path: userHome },
        { label: "Computer", path: "/" },
        ...projects.map(({ name, root }) => ({ label: name, path: root })),
      ],
    };
  } catch (error) {
    throw problemOf(error);
  }
}

function absolute(given: string, userHome: string): string {
  const path = given === "" ? userHome : given.replace(/^~(?=\/|$)/, userHome);
  if (path.includes("\0") || !isAbsolute(path)) throw new Problem(400, "The path must be absolute, or begin with ~.");
  return resolve(path);
}

async function namesIn(path: string, { files, hidden }: Query): Promise<{ names: Entry[]; isCut: boolean }> {
  const names: Entry[] = [];
  let lookedAt = 0;
  for await (const { name, ...rest } of named(path)) {
    if (++lookedAt > MAX_LOOKED_AT) return { names, isCut: true };
    if (!hidden && name.startsWith(".")) continue;
    const entry = { name, path: join(path, name), ...(rest.link ? await linked(join(path, name)) : rest) };
    if (files || entry.kind === "dir") names.push(entry);
  }
  return { names, isCut: false };
}

type Kind = Pick<Entry, "kind" | "link">;

async function* named(path: string): AsyncGenerator<Kind & { readonly name: string }> {
  for await (const entry of await opendir(path, { bufferSize: 256 })) {
    const kind = entry.isDirectory() ? "dir" : entry.isFile() ? "file" : "other";
    yield { name: entry.name, kind, link: entry.isSymbolicLink() };
  }
}

async function linked(path: string): Promise<Kind> {
  const target = await stat(path).catch(() => lstat(path).catch(() => undefined));
  return { kind: target?.isDirectory() === true ? "dir" : target?.isFile() === true ? "file" : "other", link: true };
}

function byKindAndName(one: Entry, other: Entry): number {
  const folders = Number(other.kind === "dir") - Number(one.kind === "dir");
  return folders === 0 ? one.name.localeCompare(other.name) : folders;
}

function problemOf(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG")
    return new Problem(404, "There is no such folder.");
  if (code === "EACCES" || code === "EPERM") return new Problem(403, "The operating system does not let it be read.");
  if (code === "ELOOP") return new Problem(400, "Too many links lead to it.");
  return error;
}
