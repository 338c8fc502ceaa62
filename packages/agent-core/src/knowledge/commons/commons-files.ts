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
const STAGED = /^\.[0-9a-f]{32}\.json\.[0-9a-f]{12}$/;
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
  expires_at: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
});

/** A memory of the commons. Times are epoch milliseconds. */
export type SharedMemory = Omit<v.InferOutput<typeof shared>, "format">;

/** What a file of the commons holds. */
export interface ReadFile {
  /** Undefined: it is gone, is of a newer version, or is no memory. */
  readonly memory: SharedMemory | undefined;
  /** As of `sharedBody`; blank: it is gone. */
  readonly digest: string;
}

/** A file of the commons as it lies there. */
export interface SharedFile {
  readonly name: string;
  /** Another one when it was replaced. */
  readonly version: string;
}

/** What a memory of the commons is named by. */
export interface Named extends Pick<SharedMemory, "domain" | "kind" | "subject" | "heading" | "content"> {
  /** Of a document, where others have the same heading. Default false. */
  readonly isPart?: boolean;
}

/** What a memory is called in the commons: the same for all that is about the same, else for the same words. */
export function sharedName({ isPart = false, ...memory }: Named): string {
  const key = isPart ? "" : subjectKey(memory);
  const about = key === "" ? ["words", folded(memory.content)] : ["subject", memory.kind, key];
  const hash = createHash("sha256").update(JSON.stringify([folded(memory.domain), ...about]));
  return `${hash.digest("hex").slice(0, 32)}.json`;
}

/** By what a memory of the commons is corrected; blank: by nothing. */
export function sharedKey(name: string, memory: SharedMemory): string {
  return name === sharedName(memory) ? subjectKey(memory) : "";
}

/** The files there are; undefined: there is no folder. @throws Error where the folder cannot be read */
export async function listShared(folder: string): Promise<readonly SharedFile[] | undefined> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (names === undefined) return undefined;
  const files: SharedFile[] = [];
  for (const name of names.filter((one) => NAME.test(one)).slice(0, MOST_FILES)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() === true && found.size <= MOST_BYTES) files.push({ name, version: versionOf(found) });
  }
  return files;
}

export async function readShared(folder: string, name: string): Promise<ReadFile> {
  let digest = "";
  try {
    const body = await readFile(join(folder, name), "utf8");
    digest = digestOf(body);
    const parsed = v.safeParse(shared, JSON.parse(body));
    return { memory: parsed.success ? parsed.output : undefined, digest };
  } catch {
    return { memory: undefined, digest };
  }
}

/** What is written of a memory, and by what it is known again. */
export interface SharedBody {
  readonly body: string;
  readonly digest: string;
}

export function sharedBody(memory: SharedMemory): SharedBody {
  const body = JSON.stringify({ format: FORMAT, ...memory });
  return { body, digest: digestOf(body) };
}

function digestOf(body: string): string {
  return createHash("sha256").update(body).digest("hex");
}

/** The mark in the names of half written files of a store: six hexadecimal digits. */
export function stagedTag({ description }: { readonly description: string }): string {
  return createHash("sha256").update(description).digest("hex").slice(0, 6);
}

/**
 * Whole under its name when it resolves, and on the disk once its folder was synced. `tag`: as of `stagedTag`.
 * @returns its version @throws Error
 */
export async function writeShared(
  folder: string,
  name: string,
  { body }: Pick<SharedBody, "body">,
  tag: string,
): Promise<string> {
  const staged = join(folder, `.${name}.${tag}${randomBytes(3).toString("hex")}`);
  const file = await open(staged, "wx", 0o600);
  try {
    await file.writeFile(body);
    await file.sync();
    // Under its name another process may have replaced it already.
    const version = versionOf(await file.stat());
    await rename(staged, join(folder, name));
    return version;
  } catch (error) {
    await rm(staged, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Gone from the disk once its folder was synced. `version`: only while it is this one. True: it was there.
 * @throws Error
 */
export async function removeShared(folder: string, name: string, version?: string): Promise<boolean> {
  const found = await sharedVersion(folder, name);
  if (found === undefined || (version !== undefined && version !== found)) return false;
  await rm(join(folder, name), { force: true });
  return true;
}

/** The version of a file; undefined: there is none. @throws Error */
export async function sharedVersion(folder: string, name: string): Promise<string | undefined> {
  try {
    return versionOf(await stat(join(folder, name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function versionOf({ ino, size, mtimeMs }: { readonly ino: number; readonly size: number; readonly mtimeMs: number }) {
  return `${ino}:${size}:${mtimeMs}`;
}

/** What was renamed or removed in it stays so. @throws Error */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Removes what processes that ended left half written: those of the own store, which runs once, and of others what is older
 * than `before`, in epoch milliseconds. A writer whose file is taken away nevertheless tries again. @throws Error
 */
export async function removeStaged(folder: string, tag: string, before: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!STAGED.test(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    const isOwn = name.endsWith(tag, name.length - 6);
    if (found !== undefined && (isOwn || found.mtimeMs < before)) await rm(path, { force: true });
  }
}
