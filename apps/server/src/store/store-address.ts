import { dirname } from "node:path";
import { DatabaseError, isStoreServer } from "@agent-service/agent-core/host";
import { makeFolder } from "@agent-service/config";

/**
 * The address of a store that a setting names; blank is memory. Creates the folder of a file.
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
