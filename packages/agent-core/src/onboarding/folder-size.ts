import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Entries looked at; what is beyond counts as too much. */
const MAX_ENTRIES = 2_000_000;

/** Bytes of the files below a folder; stops once there are more than `atMost`. Of a missing folder 0. */
export async function folderSize(folder: string, atMost: number): Promise<number> {
  const folders = [folder];
  let bytes = 0;
  let entries = 0;
  for (let at = folders.pop(); at !== undefined && bytes <= atMost; at = folders.pop()) {
    const found = await readdir(at, { withFileTypes: true }).catch(() => []);
    entries += found.length;
    if (entries > MAX_ENTRIES) return Number.POSITIVE_INFINITY;
    for (const entry of found) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
    }
  }
  return bytes;
}
