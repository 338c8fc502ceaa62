import { join } from "node:path";
import type { Repository } from "./find-repository.ts";
import { GitError } from "./git-error.ts";
import { readLine, readSmallFile } from "./read-small-file.ts";

/** What is checked out. */
export interface Head {
  /** The commit's id; undefined while there is none. */
  readonly commit: string | undefined;
  /** Undefined where a commit and no branch is checked out. */
  readonly branch: string | undefined;
}

const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Of names that git itself refuses nothing leads out of the repository. */
const REF = /^refs\/(?:(?!\.)[^\0-\x20\x7f~^:?*[\\/]+\/)*(?!\.)[^\0-\x20\x7f~^:?*[\\/]+$/;
const MAX_PACKED_REFS = 64 * 1_048_576;
const MAX_STEPS = 5;

/** Reads it without git. @throws GitError */
export async function readHead({ gitDir, commonDir }: Repository): Promise<Head> {
  let value = await readLine(join(gitDir, "HEAD"));
  let branch: string | undefined;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (value !== undefined && ID.test(value)) return { commit: value, branch };
    const name = /^ref:\s*(.+)$/.exec(value ?? "")?.[1];
    if (name === undefined || !REF.test(name) || name.includes("..") || name.length > 1_024) break;
    if (step === 0) branch = name.replace(/^refs\/heads\//, "");
    value = (await readLine(join(commonDir, name))) ?? (await packedRef(commonDir, name));
    if (value === undefined) return { commit: undefined, branch };
  }
  throw new GitError("git.unreadable", "what is checked out cannot be read");
}

async function packedRef(commonDir: string, name: string): Promise<string | undefined> {
  const packed = await readSmallFile(join(commonDir, "packed-refs"), MAX_PACKED_REFS);
  const content = packed?.content;
  const at = content?.indexOf(` ${name}\n`) ?? -1;
  if (content === undefined || at < 40) return undefined;
  const start = content.lastIndexOf("\n", at - 1) + 1;
  return content.toString("latin1", start, at);
}
