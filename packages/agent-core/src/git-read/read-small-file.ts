import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { GitError } from "./git-error.ts";

export interface SmallFile {
  readonly content: Buffer;
  readonly mtimeMs: number;
}

/**
 * Reads a regular file of a repository; undefined where there is none, or a link, a pipe or a folder lies there.
 * @throws GitError `git.unreadable` for one of more than `atMost` bytes
 */
export async function readSmallFile(path: string, atMost: number): Promise<SmallFile | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return undefined;
    const buffer = Buffer.allocUnsafe(Math.min(stat.size, atMost) + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) return { content: buffer.subarray(0, length), mtimeMs: stat.mtimeMs };
      length += bytesRead;
    }
    throw new GitError("git.unreadable", "a file of the repository's own is too large to be read");
  } finally {
    await handle.close();
  }
}

/** The text of such a file without white space around it. */
export async function readLine(path: string, atMost = 65_536): Promise<string | undefined> {
  return (await readSmallFile(path, atMost))?.content.toString().trim();
}
