import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Characters of a passage that is looked for, and of the shortest one. */
const PASSAGE = 40;
const SHORTEST = 6;
/** Passages that are looked for at most: of more, every so many. */
const MOST_PASSAGES = 400;
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Maximum number of listings before a scan fails. */
const MOST_LISTINGS = 100;

/** A file, and how many of the passages it holds. */
export interface ScannedFile {
  readonly path: string;
  readonly bytes: number;
  readonly found: number;
}

/**
 * Passages by which texts are found in any file: cut where JSON would write something else, and short, since a database cuts
 * long texts where its pages end.
 */
export function passagesOf(texts: readonly string[]): readonly string[] {
  const all = new Set<string>();
  for (const text of texts) {
    for (const run of text.split(/["\\\p{Cc}]+/u).map((one) => one.trim())) {
      if (run.length < SHORTEST) continue;
      for (let at = 0; at < run.length; at += PASSAGE) {
        const passage = run.slice(Math.max(0, Math.min(at, run.length - PASSAGE)), at + PASSAGE).toWellFormed();
        if (passage.length >= SHORTEST) all.add(passage);
      }
    }
  }
  const passages = [...all];
  const step = Math.max(1, Math.ceil(passages.length / MOST_PASSAGES));
  return passages.filter((_, at) => at % step === 0);
}

/**
 * Looks for passages in the bytes of files, of those below folders, and of what a database keeps beside its file. A running
 * service replaces its files, so the places are listed again until every listed file has been read. Rejects when a file cannot
 * be read, or after `MOST_LISTINGS`.
 */
export async function scanFiles(
  places: Iterable<string>,
  passages: readonly string[],
): Promise<readonly ScannedFile[]> {
  const needles = passages.map((passage) => Buffer.from(passage));
  const read = new Map<string, ScannedFile>();
  for (let listings = 0; listings < MOST_LISTINGS; listings++) {
    const listed = await unlessGone(filesOf(places));
    const unread = listed?.filter(({ key }) => !read.has(key)) ?? [];
    if (listed !== undefined && unread.length === 0) return listed.flatMap(({ key }) => read.get(key) ?? []);
    for (const { key, path } of unread) {
      const scanned = await unlessGone(scanFile(path, needles));
      if (scanned !== undefined) read.set(key, scanned);
    }
  }
  throw new Error("the files of memory are replaced faster than they can be read: try again");
}

interface ListedFile {
  readonly path: string;
  /** Differs after the file was replaced, unlike the path. */
  readonly key: string;
}

/** Rejects with `ENOENT` if a file disappears while it lists: it may have been renamed to a name that was already passed. */
async function filesOf(places: Iterable<string>): Promise<readonly ListedFile[]> {
  const paths = new Set<string>();
  for (const place of places) {
    for (const path of [place, `${place}-wal`, `${place}-shm`]) {
      const kind = await unlessGone(stat(path));
      if (kind?.isFile() === true) paths.add(path);
      if (kind?.isDirectory() !== true) continue;
      const entries = await readdir(path, { recursive: true, withFileTypes: true });
      for (const entry of entries) if (entry.isFile()) paths.add(join(entry.parentPath, entry.name));
    }
  }
  const listed: ListedFile[] = [];
  for (const path of paths) {
    const { dev, ino, birthtimeNs } = await stat(path, { bigint: true });
    listed.push({ path, key: `${dev}:${ino}:${birthtimeNs}:${path}` });
  }
  return listed;
}

/** Resolves with undefined when the file does not exist. */
async function unlessGone<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function scanFile(path: string, needles: readonly Buffer[]): Promise<ScannedFile> {
  const file = await open(path, "r");
  try {
    const overlap = Math.max(0, ...needles.map(({ length }) => length - 1));
    const found = new Set<number>();
    const buffer = Buffer.alloc(CHUNK_BYTES + overlap);
    let [kept, bytes] = [0, 0];
    for (;;) {
      const { bytesRead } = await file.read(buffer, kept, CHUNK_BYTES);
      if (bytesRead === 0) return { path, bytes, found: found.size };
      bytes += bytesRead;
      const seen = buffer.subarray(0, kept + bytesRead);
      needles.forEach((needle, at) => {
        if (!found.has(at) && seen.includes(needle)) found.add(at);
      });
      // A passage may lie across two reads.
      kept = Math.min(overlap, seen.length);
      seen.copy(buffer, 0, seen.length - kept);
    }
  } finally {
    await file.close();
  }
}
