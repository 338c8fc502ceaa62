/**
 * Memories that the agents of a home share: a file each, in one folder (K26). Any process writes and reads it without a lease: a
 * file is replaced as a whole, and its name is what it is about, so that the last one said counts.
 */
import { createHash, randomBytes } from "node:crypto";
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { DELIVERY_POLICIES, folded, KNOWLEDGE_LIMITS, MEMORY_KINDS, subjectKey, TRUSTS } from "../chunk.ts";

const FORMAT = 1;
const NAME = /^[0-9a-f]{32}\.json$/;
/** Bytes of a file that is read, and files of a folder. */
const MOST_BYTES = 131_072;
const MOST_FILES = 100_000;

const text = (most: number) => v.pipe(v.string(), v.maxLength(most));
const shared = v.object({
  format: v.literal(FORMAT),
  content: v.pipe(text(KNOWLEDGE_LIMITS.content), v.regex(/\S/)),
  domain: v.pipe(text(KNOWLEDGE_LIMITS.domain), v.regex(/\S/)),
  heading: text(KNOWLEDGE_LIMITS.heading),
  subject: text(KNOWLEDGE_LIMITS.subject),
  kind: v.picklist(MEMORY_KINDS),
  policy: v.picklist(DELIVERY_POLICIES),
  trust: v.picklist(TRUSTS),
  created_at: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  updated_at: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});

/** A memory of the commons. Times are epoch milliseconds. */
export type SharedMemory = Omit<v.InferOutput<typeof shared>, "format">;

/** A file of the commons as it lies there. */
export interface SharedFile {
  readonly name: string;
  /** Another one when it was replaced. */
  readonly version: string;
}

/** What a memory is called in the commons: the same for all that is about the same, else for the same words. */
export function sharedName(memory: Pick<SharedMemory, "domain" | "kind" | "subject" | "heading" | "content">): string {
  const key = subjectKey(memory);
  const about = key === "" ? ["words", folded(memory.content)] : ["subject", memory.kind, key];
  const hash = createHash("sha256").update(JSON.stringify([folded(memory.domain), ...about]));
  return `${hash.digest("hex").slice(0, 32)}.json`;
}

/** The files there are; none where there is no folder. @throws Error where the folder cannot be read */
export async function listShared(folder: string): Promise<readonly SharedFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const files: SharedFile[] = [];
  for (const name of names.filter((one) => NAME.test(one)).slice(0, MOST_FILES)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() === true && found.size <= MOST_BYTES)
      files.push({ name, version: `${found.ino}:${found.size}:${found.mtimeMs}` });
  }
  return files;
}

/** Undefined: it is gone, is of a newer version, or is no memory. */
export async function readShared(folder: string, name: string): Promise<SharedMemory | undefined> {
  try {
    const parsed = v.safeParse(shared, JSON.parse(await readFile(join(folder, name), "utf8")));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** On the disk, whole, when it resolves. @throws Error */
export async function writeShared(folder: string, name: string, memory: SharedMemory): Promise<void> {
  const staged = join(folder, `.${name}.${randomBytes(6).toString("hex")}`);
  const file = await open(staged, "wx", 0o600);
  try {
    await file.writeFile(JSON.stringify({ format: FORMAT, ...memory }));
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await rename(staged, join(folder, name));
    await syncFolder(folder);
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  }
}

/** True: it was there. @throws Error */
export async function removeShared(folder: string, name: string): Promise<boolean> {
  const path = join(folder, name);
  if ((await stat(path).catch(() => undefined)) === undefined) return false;
  await rm(path, { force: true });
  await syncFolder(folder);
  return true;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
