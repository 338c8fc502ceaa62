import type { FileChange } from "./file-change.ts";

/** What becomes of one file. */
export interface PlannedFile {
  /** The newest of the changes that are taken back. */
  readonly newest: FileChange;
  /** The oldest of them: the file gets what it held before it. */
  readonly oldest: FileChange;
  /** All of them, oldest first. */
  readonly changes: readonly FileChange[];
  /** Why none of it can be taken back, whatever the file is now. */
  readonly refusal: PlanRefusal | undefined;
}

export type PlanRefusal =
  | { readonly result: "conflict"; readonly reason: "pending" | "undone" | "between" }
  | { readonly result: "not_reversible"; readonly reason: string };

/** By file, the file whose newest change is the newest first (F17). `changes` come in any order. */
export function planUndo(changes: readonly FileChange[]): readonly PlannedFile[] {
  const sorted = changes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const files = Map.groupBy(sorted, ({ root, path }) => `${root}\0${path}`);
  return [...files.values()]
    .map((own): PlannedFile => ({ newest: own.at(-1)!, oldest: own[0]!, changes: own, refusal: refusalOf(own) }))
    .sort((a, b) => (a.newest.id < b.newest.id ? 1 : -1));
}

function refusalOf(own: readonly FileChange[]): PlanRefusal | undefined {
  if (own.some(({ state }) => state === "intended")) return { result: "conflict", reason: "pending" };
  if (own.some(({ undoneBy }) => undoneBy !== undefined)) return { result: "conflict", reason: "undone" };
  // Each begins with what the one before it left, or somebody changed the file between them.
  if (own.some(({ before }, index) => index > 0 && before !== own[index - 1]!.after))
    return { result: "conflict", reason: "between" };
  const { reason } = own[0]!;
  return reason === undefined ? undefined : { result: "not_reversible", reason };
}
