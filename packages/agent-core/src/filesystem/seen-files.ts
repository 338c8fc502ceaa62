import type { BigIntStats } from "node:fs";
import type { Located } from "../fence/index.ts";

/** Conversations, and files of each, that are remembered; the oldest go first. */
const MAX_CONTEXTS = 500;
const MAX_FILES = 2_000;

/** Which files a conversation has read or written, and as what (F8). In memory only: a restart forgets it. */
export class SeenFiles {
  readonly #contexts = new Map<string, Map<string, string>>();

  /** Notes that a conversation knows the file as it is by `stat`. */
  note(contextId: string, { absolute }: Pick<Located, "absolute">, stat: BigIntStats): void {
    const files = this.#contexts.get(contextId) ?? new Map<string, string>();
    this.#contexts.delete(contextId);
    this.#contexts.set(contextId, files);
    files.delete(absolute);
    files.set(absolute, stateOf(stat));
    dropOldest(files, MAX_FILES);
    dropOldest(this.#contexts, MAX_CONTEXTS);
  }

  /** Whether the conversation knows the file as it is now. */
  knows(contextId: string, { absolute, stat }: Pick<Located, "absolute" | "stat">): boolean {
    return stat !== undefined && this.#contexts.get(contextId)?.get(absolute) === stateOf(stat);
  }
}

function stateOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs].join(":");
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return;
  const [oldest] = map.keys();
  map.delete(oldest!);
}
