import { accessSync, closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { DatabaseError } from "./database-error.ts";

/**
 * The store holds conversations: where it is created here, only its owner may read it. One that is there is not opened:
 * closing it would end the locks that this process's other connections have on it (POSIX locks are the process's), and
 * the next program that closes the store would take itself for the last and delete the log.
 */
export function createPrivately(path: string): void {
  try {
    if (!existsSync(path)) closeSync(openSync(path, "wx", 0o600));
    accessSync(path, constants.W_OK);
    if (!statSync(path).isFile()) throw new Error("it is not a file");
  } catch (error) {
    const { code: reason = (error as Error).message } = error as NodeJS.ErrnoException;
    throw new DatabaseError("unwritable", `cannot open the store ${path} for writing (${reason})`, { cause: error });
  }
}
