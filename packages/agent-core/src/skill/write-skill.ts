/** Puts the file of a skill in its place, or takes it away; nothing is followed out of the root. */
import { randomUUID } from "node:crypto";
import { closeSync, constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { OpenFolder } from "../tree-walk/index.ts";
import { SkillError } from "./skill-error.ts";

const FILE = "SKILL.md";
/** What is not in its place yet. The commons has several writers, of one process and of processes that have one number in two containers. */
const STAGED = /^\.SKILL\.md\.[0-9a-f-]+\.tmp$/;
/** Milliseconds after which what is not in its place was left by a kill. */
const LEFT_MS = 600_000;
const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_DIRECTORY } = constants;

/** A text that lies beside its place on the disk. */
export interface StagedSkill {
  /** Moves it to its place; durable when this resolves. */
  place(): Promise<void>;
  close(): void;
}

export interface StagedText {
  readonly text: string;
  /** In the skill's folder, with `/`. Default: `SKILL.md`. */
  readonly path?: string;
  /** Makes a folder with those above it. */
  readonly makeFolder: (path: string) => void;
}

/**
 * Writes the text beside its place, so that what may fail (no room, no right) has failed before anything counts.
 * @throws SkillError unwritable
 */
export async function stageSkill(
  root: string,
  name: string,
  { text, path = FILE, makeFolder }: StagedText,
): Promise<StagedSkill> {
  return writing(async () => {
    makeFolder(root);
    const steps = [name, ...path.split("/")];
    const file = steps.pop() ?? FILE;
    const folder = await folderOf(root, steps);
    const beside = `.SKILL.md.${randomUUID()}.tmp`;
    try {
      await removeStaged(folder, Date.now() - LEFT_MS);
      const staged = await open(folder.at(beside), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
      try {
        await staged.writeFile(text);
        await staged.sync();
      } finally {
        await staged.close();
      }
    } catch (error) {
      closeSync(folder.fd);
      throw error;
    }
    return {
      place: () =>
        writing(async () => {
          await rename(folder.at(beside), folder.at(file));
          await syncFolder(folder);
        }),
      close: () => closeSync(folder.fd),
    };
  });
}

/** Takes the file away; the folder goes too where nothing else lies in it. @throws SkillError unwritable */
export function unplaceSkill(root: string, name: string): Promise<void> {
  return writing(async () => {
    const top = new OpenFolder(root, root, process.platform !== "linux");
    try {
      const folder = top.enter(name);
      try {
        await removeStaged(folder, Number.POSITIVE_INFINITY);
        await unlink(folder.at(FILE)).catch(ignoreMissing);
        await syncFolder(folder);
      } finally {
        closeSync(folder.fd);
      }
      await rmdir(top.at(name)).catch(() => undefined);
      await syncFolder(top);
    } finally {
      closeSync(top.fd);
    }
  });
}

/** Takes away what was staged before a time. */
async function removeStaged(folder: OpenFolder, before: number): Promise<void> {
  for (const name of await readdir(folder.at("."))) {
    if (!STAGED.test(name)) continue;
    const found = await lstat(folder.at(name)).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) await unlink(folder.at(name)).catch(ignoreMissing);
  }
}

/** The folder that these steps lead to from the root; what is missing is made. The caller closes it. */
async function folderOf(root: string, steps: readonly string[]): Promise<OpenFolder> {
  let at = new OpenFolder(root, root, process.platform !== "linux");
  for (const step of steps) {
    const above = at;
    try {
      const made = await mkdir(above.at(step)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error;
          return false;
        },
      );
      if (made) await syncFolder(above);
      at = above.enter(step);
    } finally {
      closeSync(above.fd);
    }
  }
  return at;
}

async function syncFolder(folder: OpenFolder): Promise<void> {
  const handle = await open(folder.at("."), O_RDONLY | O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

const REASONS: { readonly [code: string]: string } = {
  EACCES: "the operating system does not permit it",
  EPERM: "the operating system does not permit it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ELOOP: "a link lies in its place",
  ENOTDIR: "no folder lies in its place",
  EEXIST: "no folder lies in its place",
};

async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SkillError || code === undefined) throw error;
    throw new SkillError("unwritable", `the skill cannot be written: ${REASONS[code] ?? code}`);
  }
}
