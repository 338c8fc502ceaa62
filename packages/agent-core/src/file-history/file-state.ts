import type { Located } from "../fence/index.ts";
import { digestOf } from "./image-files.ts";

/** Bytes of a file that tools change, and of which is kept what it held (F8, FC5). */
export const MOST_FILE_BYTES = 8 * 1_024 * 1_024;

/** What lies at a place. */
export interface FileState {
  /** SHA-256 of the content; of a link, and of a file too large to be read, what tells it from any other. */
  readonly digest: string;
  /** Undefined: a link, or too large. */
  readonly content: Buffer | undefined;
  readonly mode: number;
  readonly bytes: number;
  readonly isLink: boolean;
}

/** Undefined: nothing lies there. @throws FenceRefusal */
export async function stateOf(located: Located): Promise<FileState | undefined> {
  const { kind, stat } = located;
  if (stat === undefined || kind === "missing" || kind === "folder") return undefined;
  const mode = Number(stat.mode & 0o777n);
  const bytes = Number(stat.size);
  const isLink = kind === "link";
  if (isLink || bytes > MOST_FILE_BYTES) {
    const which = [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(":");
    return { digest: `${isLink ? "link" : "large"}:${which}`, content: undefined, mode, bytes, isLink };
  }
  const content = await located.read(MOST_FILE_BYTES);
  return { digest: digestOf(content), content, mode, bytes: content.byteLength, isLink };
}
