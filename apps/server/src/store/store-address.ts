import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseError } from "@agent-service/agent-core";

/** Whether a store's setting is the address of a libSQL server, and not a file (ruling R11). */
export function isStoreServer(path: string): boolean {
  return /^(libsql|https?):\/\//.test(path);
}

/**
 * The address of a store that a setting names; blank is memory. The folder of a file is made.
 * @throws DatabaseError unwritable
 */
export async function storeAddress(path: string): Promise<string> {
  if (path === "") return ":memory:";
  if (isStoreServer(path)) return path;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    throw new DatabaseError("unwritable", `${path}: its folder cannot be made (${cause.code})`, { cause });
  });
  return `file:${path}`;
}
