/**
 * Takes changes back, newest first, file by file: all that was chosen of a file, or nothing of it (F17). An undo is itself a
 * change, with what was there before it, so it can be taken back too. What it is about to do is committed first; a crash
 * in the middle is finished at the start.
 */
import { join } from "node:path";
import { inParallel } from "../collection/index.ts";
import { FenceRefusal } from "../fence/index.ts";
import { countLineChanges } from "../line-changes/index.ts";
import type { FileChange } from "./file-change.ts";
import type { FileHistory } from "./file-history.ts";
import { type FileState, stateOf } from "./file-state.ts";
import type { KeptImage } from "./image-keeper.ts";
import { type PlannedFile, planUndo } from "./plan-undo.ts";

/** Files that one undo takes back. */
export const MOST_UNDONE_CHANGES = 5_000;
const AT_A_TIME = 8;

/** What became, or would become, of one file. */
export interface UndoneFile {
  readonly project: string;
  readonly path: string;
  readonly result: "restored" | "removed" | "conflict" | "not_reversible";
  /** Of the last two. */
  readonly reason?: string;
}

export interface UndoOptions {
  readonly history: FileHistory;
  readonly newId: () => string;
  readonly now: () => number;
}

/** One file between the look at it and the commit. */
interface PreparedFile {
  readonly planned: PlannedFile;
  readonly image: KeptImage;
  readonly change: FileChange;
}

/** Takes changes back. `preview`: only tells what would become of each file. */
export async function undoChanges(
  changes: readonly FileChange[],
  how: { readonly id: string; readonly preview: boolean },
  options: UndoOptions,
): Promise<readonly UndoneFile[]> {
  const { store, lock } = options.history;
  const plan = planUndo(changes);
  return lock.runAll(
    plan.map(({ newest }) => placeOf(newest)),
    async () => {
      const looked = await inParallel(plan, AT_A_TIME, (planned) => prepare(planned, how, options));
      const ready = looked.filter((one): one is PreparedFile => "change" in one);
      try {
        const images = ready.flatMap(({ image }) => (image.image === undefined ? [] : [image.image]));
        if (ready.length > 0)
          await store.intend(
            ready.map(({ change }) => change),
            images,
          );
      } finally {
        for (const { image } of ready) image.release();
      }
      const made = await inParallel(looked, AT_A_TIME, async (one): Promise<UndoneFile> => {
        if (!("change" in one)) return one;
        const failure = await restore(one.change, options.history);
        return failure === undefined ? success(one.planned) : outcomeOf(one.planned, failure);
      });
      const isMade = (_: unknown, index: number): boolean => made[index]!.result !== "conflict";
      const ids = looked.filter(isMade).flatMap((one) => ("change" in one ? [one.change.id] : []));
      if (ids.length > 0) await store.undone(ids);
      return made;
    },
  );
}

/** Finishes the undo of one file that a crash cut off, where the file is still as it was. */
export async function finishUndo(change: FileChange, history: FileHistory): Promise<void> {
  await history.lock.run(placeOf(change), async () => {
    if ((await history.look(change)) === "void") await restore(change, history);
    if ((await history.settle(change)) === "unclear") await history.store.notDone([change.id]);
  });
}

function placeOf({ root, path }: FileChange): string {
  return join(root, path);
}

function outcomeOf({ oldest }: PlannedFile, outcome: Pick<UndoneFile, "result" | "reason">): UndoneFile {
  return { project: oldest.project, path: oldest.path, ...outcome };
}

function success(planned: PlannedFile): UndoneFile {
  return outcomeOf(planned, { result: planned.oldest.before === undefined ? "removed" : "restored" });
}

/** Opens the file of a change for what taking it back does to it. */
function openFor({ fence }: FileHistory, change: Pick<FileChange, "project" | "root" | "path" | "before" | "after">) {
  const removes = change.after === undefined && change.before !== undefined;
  return fence.open({
    project: change.project,
    path: join(change.root, change.path),
    for: removes ? "delete" : "write",
  });
}

/** Looks at one file; what it holds is kept, unless this is a preview. */
async function prepare(
  planned: PlannedFile,
  { id, preview }: { readonly id: string; readonly preview: boolean },
  { history, newId, now }: UndoOptions,
): Promise<PreparedFile | UndoneFile> {
  const { newest, oldest, changes, refusal } = planned;
  if (refusal !== undefined) return outcomeOf(planned, refusal);
  const content = oldest.before === undefined ? undefined : await history.files.read(oldest.before);
  if (oldest.before !== undefined && content === undefined)
    return outcomeOf(planned, { result: "not_reversible", reason: "expired" });
  const turned = { ...newest, before: newest.after, after: oldest.before };
  const current = await currentOf(history, turned);
  if ("refusal" in current) return outcomeOf(planned, conflict(current.refusal, newest));
  const { state } = current;
  const isModeAlone = oldest.before === newest.after && oldest.beforeMode !== newest.afterMode;
  if (state?.digest !== newest.after || (isModeAlone && state?.mode !== newest.afterMode))
    return outcomeOf(planned, { result: "conflict", reason: state === undefined ? "missing" : "changed" });
  if (preview) return success(planned);
  const image = await history.images.keep(state);
  const change: FileChange = {
    ...turned,
    ...{ id: newId(), call: "", origin: "undo", state: "intended", undoneBy: undefined, at: now() },
    uncertain: false,
    operation: content === undefined ? "delete" : state === undefined ? "create" : "modify",
    ...{ beforeMode: state?.mode, afterMode: oldest.beforeMode },
    bytes: Math.max(state?.bytes ?? 0, content?.byteLength ?? 0),
    ...countLineChanges(state?.content, content),
    ...{ reason: image.reason, undo: id, undoes: changes.map((one) => one.id) },
  };
  return { planned, image, change };
}

async function currentOf(
  history: FileHistory,
  change: FileChange,
): Promise<{ readonly state: FileState | undefined } | { readonly refusal: FenceRefusal }> {
  try {
    await using located = await openFor(history, change);
    return { state: await stateOf(located) };
  } catch (error) {
    if (error instanceof FenceRefusal) return { refusal: error };
    throw error;
  }
}

function conflict({ code }: FenceRefusal, newest: FileChange): Pick<UndoneFile, "result" | "reason"> {
  const reason = code === "fence.missing" && newest.after !== undefined ? "missing" : code.slice("fence.".length);
  return { result: "conflict", reason };
}

/** Gives the file what it is to hold, where it still is as it was (FC3). Undefined: done. */
async function restore(
  change: FileChange,
  history: FileHistory,
): Promise<Pick<UndoneFile, "result" | "reason"> | undefined> {
  if (change.before === change.after && change.beforeMode === change.afterMode) return undefined;
  try {
    const content = change.after === undefined ? undefined : await history.files.read(change.after);
    if (change.after !== undefined && content === undefined) throw new FenceRefusal("fence.missing", "no image");
    await using located = await openFor(history, change);
    if ((await stateOf(located))?.digest !== change.before) throw new FenceRefusal("fence.changed", "it changed");
    const mode = change.afterMode === undefined ? {} : { mode: change.afterMode };
    if (content === undefined) await located.remove();
    else await located.replace(content, { temporary: change.id, ...mode });
    return undefined;
  } catch (error) {
    if (!(error instanceof FenceRefusal)) throw error;
    const settled = await history.settle(change);
    if (settled === "done") return undefined;
    if (settled === "unclear") await history.store.notDone([change.id]);
    return conflict(error, change);
  }
}
