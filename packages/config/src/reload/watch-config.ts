import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** The timers a watcher waits with; agent-core's `Clock` is one. */
export interface WatchTimers {
  setTimeout(run: () => void, ms: number, options?: { readonly background?: boolean }): { cancel(): void };
}

/** What is watched, and what a change calls. */
export interface WatchOptions {
  /** Absolute paths. None needs to exist; a file that appears or goes is a change. */
  readonly files: readonly string[];
  readonly timers: WatchTimers;
  /**
   * Folders that are written to all the time, that of a store for instance. Of them only the files themselves are
   * watched: the system would wake this process for each write of the store (5 % of the rate of sends, measured).
   */
  readonly busyFolders?: readonly string[];
  /** Called once things have been quiet for `quietMs` after a change. Must not throw. */
  readonly onChange: () => void;
  /** Default 200. */
  readonly quietMs?: number;
  /** How often the files are looked at for changes that the system reported to no watcher. Default 5,000. */
  readonly pollMs?: number;
}

/**
 * Watches configuration files that people edit by hand. Folders are watched rather than files, because editors replace
 * a file instead of writing into it; a look at the files every few seconds finds what the system did not report, such
 * as changes on network drives, in a folder that did not exist, or a file that appears in a busy one. Answers the
 * function that ends it. It keeps no process alive.
 */
export function watchConfig(options: WatchOptions): () => void {
  const { files, timers, onChange, quietMs = 200, pollMs = 5_000, busyFolders = [] } = options;
  const background = { background: true } as const;
  const alone = files.filter((file) => busyFolders.includes(dirname(file)));
  const watchAlone = () => alone.flatMap((file) => watchPath(file, () => stir()));
  let seen = files.map(signatureOf).join("|");
  let quiet: { cancel(): void } | undefined;

  const settle = (): void => {
    quiet = undefined;
    const now = files.map(signatureOf).join("|");
    if (now === seen) return;
    seen = now;
    // What replaced a file is another one to the system.
    for (const watcher of watchers.splice(0)) watcher.close();
    watchers.push(...watchAlone());
    onChange();
  };
  const stir = (): void => {
    quiet?.cancel();
    quiet = timers.setTimeout(settle, quietMs, background);
  };
  const look = (): void => {
    if (quiet === undefined && files.map(signatureOf).join("|") !== seen) stir();
    poll = timers.setTimeout(look, pollMs, background);
  };
  let poll = timers.setTimeout(look, pollMs, background);
  const folders = new Set(files.map((file) => dirname(file)).filter((folder) => !busyFolders.includes(folder)));
  const folderWatchers = [...folders].flatMap((folder) => {
    const names = new Set(files.filter((file) => dirname(file) === folder).map((file) => basename(file)));
    return watchPath(folder, (name) => {
      if (name === null || names.has(name)) stir();
    });
  });
  const watchers = watchAlone();

  return () => {
    quiet?.cancel();
    poll.cancel();
    for (const watcher of [...folderWatchers, ...watchers]) watcher.close();
  };
}

/** What cannot be watched is left to the look every few seconds. */
function watchPath(path: string, onName: (name: string | null) => void): FSWatcher[] {
  try {
    const watcher = watch(path, { persistent: false }, (_event, name) => onName(name));
    watcher.on("error", () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}

/** Changes with every write, and with every replacement. */
function signatureOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? "" : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}
