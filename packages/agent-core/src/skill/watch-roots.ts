import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { Clock, Timer } from "../clock/index.ts";

export interface WatchRootsOptions {
  /** Folders whose entries are watched, and folders in them. Asked anew after each change. */
  readonly folders: () => readonly { readonly path: string; readonly names: readonly string[] }[];
  readonly clock: Pick<Clock, "setTimeout">;
  /** Called when things have been quiet after a change, and every few seconds. Must not reject. */
  readonly onChange: () => Promise<void>;
}

const QUIET_MS = 200;
/** How often is looked for changes that the system reported to no watcher: those on network drives, in a new root. */
const LOOK_MS = 5_000;
/** Folders of skills that are watched of each root; the others are looked at. */
const MOST_WATCHED = 200;

/** Watches folders that people edit by hand. @returns what ends it */
export function watchRoots({ folders, clock, onChange }: WatchRootsOptions): () => void {
  const background = { background: true } as const;
  let watchers = new Map<string, FSWatcher>();
  let isClosed = false;
  let quiet: Timer | undefined;
  let poll: Timer | undefined;

  const follow = (): void => {
    const wanted = folders().flatMap(({ path, names }) => [
      path,
      ...names.slice(0, MOST_WATCHED).map((name) => join(path, name)),
    ]);
    const next = new Map<string, FSWatcher>();
    for (const path of wanted) {
      const watcher = watchers.get(path) ?? watched(path, stir);
      if (watcher !== undefined) next.set(path, watcher);
    }
    for (const [path, watcher] of watchers) if (next.get(path) !== watcher) watcher.close();
    watchers = next;
  };
  const look = async (): Promise<void> => {
    quiet?.cancel();
    quiet = undefined;
    poll?.cancel();
    await onChange();
    if (isClosed) return;
    follow();
    poll?.cancel();
    poll = clock.setTimeout(() => void look(), LOOK_MS, background);
  };
  const stir = (path: string, isGone: boolean): void => {
    if (isGone) {
      watchers.get(path)?.close();
      watchers.delete(path);
    }
    quiet?.cancel();
    if (!isClosed) quiet = clock.setTimeout(() => void look(), QUIET_MS, background);
  };
  follow();
  poll = clock.setTimeout(() => void look(), LOOK_MS, background);
  return () => {
    isClosed = true;
    quiet?.cancel();
    poll?.cancel();
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** What cannot be watched is left to the look every few seconds. */
function watched(path: string, onChange: (path: string, isGone: boolean) => void): FSWatcher | undefined {
  try {
    // A folder that another one replaced is another folder to the system, and its watcher hears nothing more.
    const watcher = watch(path, { persistent: false }, (event) => onChange(path, event === "rename"));
    watcher.on("error", () => onChange(path, true));
    return watcher;
  } catch {
    return undefined;
  }
}
