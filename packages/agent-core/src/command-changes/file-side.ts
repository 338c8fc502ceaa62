import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { FileSide } from "./note-message.ts";

export function digestOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A file whose content was read. */
export function sideOf(content: Uint8Array, stat: BigIntStats): FileSide {
  return { digest: digestOf(content), mode: modeOf(stat), bytes: content.byteLength };
}

/** A link, or a file whose content is not read. A link and a large file are as the history of files knows them. */
export function unreadSide(stat: BigIntStats, isLarge: boolean): FileSide {
  const which = [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(":");
  const kind = stat.isSymbolicLink() ? "link" : isLarge ? "large" : "unread";
  return { digest: `${kind}:${which}`, mode: modeOf(stat), bytes: Number(stat.size) };
}

/** Whether two sides of which at least one was not read are the same file, as large and as old. */
export function isSameUnread(noted: FileSide, stat: BigIntStats): boolean {
  const [, which] = /^(?:link|large|unread):(.*)$/.exec(noted.digest) ?? [];
  return which !== undefined && unreadSide(stat, false).digest.endsWith(`:${which}`);
}

export function modeOf({ mode }: BigIntStats): number {
  return Number(mode & 0o777n);
}
