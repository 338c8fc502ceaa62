import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { inParallel } from "../collection/index.ts";
import type { Fence, ReachableProject } from "../fence/index.ts";
import { type FileChange, FileHistoryError, type NewChange } from "../file-history/index.ts";
import type { CommandChangesOptions } from "./command-changes-options.ts";
import type { NoteHead } from "./note-folder.ts";
import type { Difference, NoteFile } from "./note-message.ts";
import { ownPart } from "./others-changes.ts";

const BATCH = 200;
const AT_A_TIME = 8;
/** Changes of others that are looked at. */
const MOST_OTHERS = 5_000;
/** Changes of a command that are published each by each. */
const MOST_PUBLISHED = 100;

export interface Recording {
  readonly head: NoteHead;
  readonly project: ReachableProject;
  /** Something else may have made them. */
  readonly isShared: boolean;
  readonly differences: readonly Difference[];
  /** The note's folder. */
  readonly folder: string;
}

type Placed = Pick<NewChange, "project" | "root" | "path"> & { readonly difference: Difference };

/** Writes what differs as changes of the command's call, with what the files held (FC1). Again after a crash: the rest. */
export async function recordDifferences(options: CommandChangesOptions, recording: Recording): Promise<void> {
  const { history } = options;
  const { owner } = recording.head;
  const known = await history.store.placesOfCommand(owner.task, owner.call);
  const placed = placesOf(options.fence, recording).filter(({ root, path }) => !known.has(`${root}/${path}`));
  const own = await withoutOthers(options, recording.head, placed);
  const files = new NoteFiles(recording.folder);
  let left = MOST_PUBLISHED;
  try {
    for (let from = 0; from < own.length; from += BATCH) {
      const made = await recordBatch(options, recording, own.slice(from, from + BATCH), files);
      for (const { id, task, project, path, operation: op, origin } of made.slice(0, left))
        options.bus.publish("files.changed", { id, task_id: task, project, path, op, origin });
      left = Math.max(0, left - made.length);
    }
  } finally {
    await files.close();
  }
}

/** In the project whose rights count (FE5). */
function placesOf(fence: Fence, { project, differences }: Recording): readonly Placed[] {
  return differences.map((difference) => {
    const held = fence.projects.holding(join(project.root, difference.path));
    if (held === undefined || held.project.root === project.root)
      return { project: project.name, root: project.root, path: difference.path, difference };
    return { project: held.project.name, root: held.project.root, path: held.rest, difference };
  });
}

async function withoutOthers(
  { history }: CommandChangesOptions,
  { since, owner }: NoteHead,
  placed: readonly Placed[],
): Promise<readonly Placed[]> {
  const projects = [...new Set(placed.map(({ project }) => project))];
  const changes = (await Promise.all(projects.map((name) => history.store.since(name, since, MOST_OTHERS)))).flat();
  const others = changes.filter(({ task, call }) => task !== owner.task || call !== owner.call);
  const byPlace: ReadonlyMap<string, readonly FileChange[]> = Map.groupBy(
    others,
    ({ root, path }) => `${root}/${path}`,
  );
  return placed.flatMap((one) => {
    const difference = ownPart(one.difference, byPlace.get(`${one.root}/${one.path}`) ?? []);
    return difference === undefined ? [] : [{ ...one, difference }];
  });
}

async function recordBatch(
  { history, newId, clock }: CommandChangesOptions,
  { head, isShared }: Recording,
  placed: readonly Placed[],
  files: NoteFiles,
): Promise<readonly NewChange[]> {
  const ready = await inParallel(placed, AT_A_TIME, async ({ difference, ...place }) => {
    const id = newId();
    const kept = await keep(history, difference, files);
    const { before, after, added, removed } = difference;
    const change: NewChange = {
      ...{ id, ...head.owner, ...place, origin: "command" },
      operation: after === undefined ? "delete" : before === undefined ? "create" : "modify",
      ...{ before: before?.digest, after: after?.digest, beforeMode: before?.mode, afterMode: after?.mode },
      ...{ bytes: Math.max(before?.bytes ?? 0, after?.bytes ?? 0), added, removed, reason: kept.reason },
      ...{ undo: "", undoes: [], uncertain: isShared, at: clock.now() },
    };
    return { change, kept };
  });
  const changes = ready.map(({ change }) => change);
  try {
    await history.store.record(
      changes,
      ready.flatMap(({ kept: { image } }) => (image === undefined ? [] : [image])),
    );
  } finally {
    for (const { kept } of ready) kept.release();
  }
  return changes;
}

type Kept = Awaited<ReturnType<CommandChangesOptions["history"]["images"]["keep"]>>;

async function keep(
  { images }: CommandChangesOptions["history"],
  { before, reason }: Difference,
  files: NoteFiles,
): Promise<Kept> {
  const lost = (why: Kept["reason"]): Kept => ({ reason: why, image: undefined, release() {} });
  if (reason !== undefined) return lost(reason);
  if (before === undefined) return images.keep(undefined);
  if (before.from === undefined) return lost("not_kept");
  const { digest, mode, bytes, from } = before;
  const content = await files.read(from.file, from.at, bytes);
  return images.keep({ digest, mode, bytes, content, isLink: false }).catch((error: unknown) => {
    if (error instanceof FileHistoryError) return lost("not_kept");
    throw error;
  });
}

/** The contents of a note. */
class NoteFiles {
  readonly #folder: string;
  readonly #open = new Map<NoteFile, Promise<FileHandle>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(name: NoteFile, at: number, bytes: number): Promise<Buffer> {
    const opening = this.#open.get(name) ?? open(join(this.#folder, name), "r");
    this.#open.set(name, opening);
    const file = await opening;
    const content = Buffer.alloc(bytes);
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await file.read(content, done, bytes - done, at + done);
      if (bytesRead === 0) throw new Error("the note was cut off");
      done += bytesRead;
    }
    return content;
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values()) await (await opening).close();
  }
}
