/** Names of servers (M1): they are the first part of their tools' names and of the operator API's paths. */

import { isFileKey } from "./file-key.ts";

/** Words that are paths of the operator API beside the servers' names. */
const TAKEN: ReadonlySet<string> = new Set(["import", "test", "catalog", "exposed"]);
const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const MAX_CHARS = 32;

/** Whether a server can have this name. */
export function isServerName(name: string): boolean {
  // Its secrets are stored under it.
  return NAME.test(name) && !name.includes("__") && !TAKEN.has(name) && isFileKey(name);
}

/** Makes a server's name of any text, as imports need it: one that `isTaken` does not say is another server's. */
export function toServerName(text: string, isTaken: (name: string) => boolean = () => false): string {
  const plain = text
    .slice(0, 200)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/_{2,}/g, "_")
    .replace(/^[_-]+/, "")
    .slice(0, MAX_CHARS)
    .replace(/[_-]+$/, "");
  const base = plain === "" ? "server" : plain;
  for (let count = 1; ; count++) {
    const end = count === 1 && !TAKEN.has(base) && isFileKey(base) ? "" : `-${count}`;
    const name = base.slice(0, MAX_CHARS - end.length) + end;
    if (isServerName(name) && !isTaken(name)) return name;
  }
}
