import { dirname } from "node:path";
import { DatabaseError } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";

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
  try {
    makeFolder(dirname(path));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new DatabaseError("unwritable", `${path}: its folder cannot be made (${code})`, { cause });
  }
  return `file:${path}`;
}
