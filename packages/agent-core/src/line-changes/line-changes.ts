import { isUtf8 } from "node:buffer";
import { diffArrays } from "diff";

/** Bytes in which a NUL makes a file binary. */
const LOOKED_AT_BYTES = 8_192;
/** Changed lines beyond which all lines between the first and the last change count as replaced. */
const MOST_EDITS = 400;

export interface LineChanges {
  readonly added: number;
  readonly removed: number;
}

export function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, LOOKED_AT_BYTES).includes(0) || !isUtf8(content);
}

/** Lines that were added and removed; none of binary content. */
export function countLineChanges(before: Uint8Array | undefined, after: Uint8Array | undefined): LineChanges {
  if ([before, after].some((content) => content !== undefined && isBinary(content))) return { added: 0, removed: 0 };
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const [left, right] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  if (left.length === 0 || right.length === 0) return { added: right.length, removed: left.length };
  const changes = diffArrays(left, right, { maxEditLength: MOST_EDITS });
  if (changes === undefined) return { added: right.length, removed: left.length };
  let [added, removed] = [0, 0];
  for (const { added: isAdded, removed: isRemoved, value } of changes) {
    if (isAdded) added += value.length;
    if (isRemoved) removed += value.length;
  }
  return { added, removed };
}

/** The lines with their ends, so that a changed line end is a change. */
function linesOf(content: Uint8Array | undefined): readonly string[] {
  if (content === undefined || content.byteLength === 0) return [];
  const lines = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString().split("\n");
  const last = lines.pop() ?? "";
  const ended = lines.map((line) => `${line}\n`);
  return last === "" ? ended : [...ended, last];
}
