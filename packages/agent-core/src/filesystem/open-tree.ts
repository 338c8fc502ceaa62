import { dirname } from "node:path";
import { type Fence, FenceRefusal, type Located } from "../fence/index.ts";
import type { TreeStart } from "./tree-message.ts";

const MAX_IGNORE_BYTES = 256 * 1024;

/** A folder, or one file, that is to be looked through, held until it is closed. */
export interface OpenTree {
  readonly start: TreeStart;
  close(): Promise<void>;
}

interface TreeRequest {
  readonly project: string;
  readonly path: string;
  readonly includeIgnored: boolean;
}

/** @throws FenceRefusal */
export async function openTree(fence: Fence, { project, path, includeIgnored }: TreeRequest): Promise<OpenTree> {
  const located = await folderOrFile(fence, { project, path: path === "" ? "." : path });
  try {
    const isFile = located.kind === "file";
    const folders = located.pathInNamed.split("/").filter((name) => name !== "");
    const only = isFile ? folders.pop() : undefined;
    const start: TreeStart = {
      holding: fence.holding,
      here: located.here,
      real: isFile ? dirname(located.absolute) : located.absolute,
      path: folders.join("/"),
      hidden: await located.hiddenBelow(),
      ignores: includeIgnored || isFile ? [] : await ignoresAbove(fence, located.named.name, folders),
      includeIgnored,
      ...(only !== undefined && { only }),
    };
    return { start, close: () => located.close() };
  } catch (error) {
    await located.close();
    throw error;
  }
}

async function folderOrFile(
  fence: Fence,
  request: { readonly project: string; readonly path: string },
): Promise<Located> {
  try {
    return await fence.open({ ...request, for: "list" });
  } catch (error) {
    if (!(error instanceof FenceRefusal) || error.code !== "fence.not-a-folder") throw error;
    return fence.open({ ...request, for: "read" });
  }
}

/** The `.gitignore` files of the folders above, from the root down; that of the folder itself is read with the tree. */
async function ignoresAbove(fence: Fence, project: string, folders: readonly string[]): Promise<TreeStart["ignores"]> {
  const found: { readonly base: string; readonly rules: string }[] = [];
  for (let depth = 0; depth < folders.length; depth++) {
    const base = folders.slice(0, depth).join("/");
    const rules = await rulesAt(fence, project, `${base === "" ? "" : `${base}/`}.gitignore`);
    if (rules !== undefined) found.push({ base, rules });
  }
  return found;
}

async function rulesAt(fence: Fence, project: string, path: string): Promise<string | undefined> {
  try {
    const located = await fence.open({ project, path, for: "read" });
    try {
      return (await located.read(MAX_IGNORE_BYTES)).toString();
    } finally {
      await located.close();
    }
  } catch (error) {
    if (error instanceof FenceRefusal) return undefined;
    throw error;
  }
}
