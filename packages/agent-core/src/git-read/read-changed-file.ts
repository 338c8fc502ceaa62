import { lstat, readlink } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { type Fence, FenceRefusal, isSecretLike, type ReachableProject } from "../fence/index.ts";

/** What lies at a path of a work tree, read through the fence. */
export type FileNow =
  | { readonly kind: "file"; readonly content: Buffer; readonly isExecutable: boolean }
  | { readonly kind: "link"; readonly target: Buffer }
  /** Its name denies it. */
  | { readonly kind: "denied" }
  | { readonly kind: "too-large"; readonly bytes: number }
  | { readonly kind: "withheld"; readonly reason: string }
  /** There is nothing, or its existence is not shown. */
  | { readonly kind: "missing" };

/**
 * Reads a file of a project as git means it: a link is its target's text, and a path that leads through a link names
 * nothing. `path` counts from the root.
 */
export async function readChangedFile(
  fence: Fence,
  project: ReachableProject,
  path: string,
  atMost: number,
): Promise<FileNow> {
  if (isSecretLike(path)) return { kind: "denied" };
  const absolute = join(project.root, path);
  try {
    await using file = await fence.open({ project: project.name, path, for: "read" });
    if (file.absolute === absolute) {
      const size = Number(file.stat?.size ?? 0n);
      if (size > atMost) return { kind: "too-large", bytes: size };
      const isExecutable = (Number(file.stat?.mode ?? 0n) & 0o100) !== 0;
      return { kind: "file", content: await file.read(atMost), isExecutable };
    }
  } catch (error) {
    if (!(error instanceof FenceRefusal)) throw error;
    if (error.code === "fence.denied") return { kind: "denied" };
    if (error.code === "fence.too-large") return { kind: "too-large", bytes: atMost };
    if (error.code === "fence.unreadable" || error.code === "fence.changed")
      return { kind: "withheld", reason: error.message.slice(error.message.lastIndexOf(": ") + 2) };
  }
  return readLink(fence, project, path);
}

/** What no regular file is at its own path: a link, another kind, or nothing. */
async function readLink(fence: Fence, project: ReachableProject, path: string): Promise<FileNow> {
  try {
    await using folder = await fence.open({ project: project.name, path: posix.dirname(path), for: "list" });
    if (folder.absolute !== dirname(join(project.root, path))) return { kind: "missing" };
    const at = `${folder.here}/${posix.basename(path)}`;
    const stat = await lstat(at);
    if (stat.isSymbolicLink()) return { kind: "link", target: await readlink(at, { encoding: "buffer" }) };
    // A regular file that the fence does not reach is shown as missing.
    return stat.isFile() ? { kind: "missing" } : { kind: "withheld", reason: "it is not a regular file" };
  } catch (error) {
    if (error instanceof FenceRefusal || (error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "missing" };
    throw error;
  }
}
