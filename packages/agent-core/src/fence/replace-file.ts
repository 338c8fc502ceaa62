/** Replacing and removing files so that nothing is torn and nothing is written through (FE3). */
import { randomUUID } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, link, lstat, mkdir, open, rename, unlink } from "node:fs/promises";
import { FenceRefusal } from "./fence-refusal.ts";
import type { Folder } from "./folder.ts";
import { identityOf } from "./identity.ts";
import type { Walked } from "./walk.ts";

export interface Replacement {
  readonly content: Uint8Array;
  /** Permission bits. Default: those of the file that is replaced; of a new one, what the process gives new files. */
  readonly mode?: number;
  /** Makes the temporary file's name known beforehand, so that what a crash leaves is found. Default: any. */
  readonly temporary?: string;
}

/** The name, in the same folder, of the file that is written before it takes the place. */
export function temporaryName(id: string): string {
  return `.${id}.agent-service.tmp`;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_DIRECTORY } = constants;

export async function replaceFile(
  walked: Walked,
  { content, mode, temporary = randomUUID() }: Replacement,
): Promise<BigIntStats> {
  const { trail, name, entry } = walked;
  if (name === undefined) throw new FenceRefusal("fence.not-a-file", "it is a folder");
  for (const missing of walked.missing) await makeFolder(walked, missing);
  const { folder } = trail;
  const path = folder.at(temporaryName(temporary));
  const bits = mode ?? (entry && Number(entry.stat.mode));
  const wanted = bits === undefined ? undefined : bits & 0o777;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, wanted ?? 0o666);
  try {
    const stat = await write(file, content, wanted);
    await folder.confirm();
    if (entry === undefined) await place(path, folder.at(name));
    else {
      await checkUnchanged(folder, name, entry.stat);
      await rename(path, folder.at(name));
    }
    await Promise.all([sync(folder), file.close()]);
    return stat;
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

export async function removeFile({ trail, name, entry }: Walked): Promise<void> {
  if (name === undefined || entry === undefined) throw new FenceRefusal("fence.missing", "it does not exist");
  await trail.folder.confirm();
  await checkUnchanged(trail.folder, name, entry.stat);
  await unlink(trail.folder.at(name));
  await sync(trail.folder);
}

async function write(file: FileHandle, content: Uint8Array, mode: number | undefined): Promise<BigIntStats> {
  await file.writeFile(content);
  const stat = await file.stat({ bigint: true });
  const isOther = mode !== undefined && Number(stat.mode & 0o777n) !== mode;
  if (isOther) await file.chmod(mode);
  await file.sync();
  return isOther ? file.stat({ bigint: true }) : stat;
}

/** Puts a file where nothing lies: a link, unlike a rename, never takes another's place. */
async function place(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw changed();
    // Some file systems know no hard links.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "EMLINK") throw error;
    await rename(from, to);
    return;
  }
  await unlink(from);
}

async function checkUnchanged(folder: Folder, name: string, was: BigIntStats): Promise<void> {
  const now = await lstat(folder.at(name), { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? changed() : error;
  });
  if (identityOf(now) !== identityOf(was) || now.mtimeNs !== was.mtimeNs || now.size !== was.size) throw changed();
}

async function makeFolder({ trail }: Walked, name: string): Promise<void> {
  try {
    await mkdir(trail.folder.at(name));
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? changed() : error;
  }
  await sync(trail.folder);
  const entry = await trail.folder.look(name);
  if (!entry.stat.isDirectory()) throw changed();
  trail.enter(name, entry);
}

async function sync(folder: Folder): Promise<void> {
  const handle = await open(folder.at("."), O_RDONLY | O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function changed(): FenceRefusal {
  return new FenceRefusal("fence.changed", "another process changed it meanwhile");
}
