import type { FileChange } from "../file-history/index.ts";
import type { Difference } from "./note-message.ts";

/**
 * What of a difference is a command's own, where tools, undoes or other commands changed the same file while it ran
 * (`others`, oldest first). Undefined: they made all of it.
 */
export function ownPart(difference: Difference, others: readonly FileChange[]): Difference | undefined {
  const [first, last] = [others[0], others.at(-1)];
  if (first === undefined || last === undefined) return difference;
  const { before, after } = difference;
  const isWhole = others.every((one, index) => index === 0 || one.before === others[index - 1]!.after);
  const isFromBefore = first.before === before?.digest;
  if (isFromBefore && (last.after === after?.digest || !isWhole)) return undefined;
  if (!isFromBefore) return { ...difference, reason: difference.reason ?? "not_kept" };
  // The command changed what the last of them had left, which nobody kept.
  const left =
    last.after === undefined ? undefined : { digest: last.after, mode: last.afterMode ?? 0o644, bytes: last.bytes };
  return { ...difference, before: left, added: 0, removed: 0, reason: difference.reason ?? "not_kept" };
}
