/** `agent-service memory forget --verify` (KM6): looks for what was forgotten in the bytes of memory's files. */
import type { CommandContext } from "../command.ts";
import { CommandProblem } from "../command-failure.ts";
import { passagesOf, type ScannedFile, scanFiles } from "./scan-files.ts";

/** What is to be looked for, read before it is forgotten. */
export interface Forgotten {
  readonly texts: readonly string[];
  readonly places: readonly string[];
  /** Of the deletion; the error message names it when a file cannot be read. */
  readonly receiptId: number;
}

/** What was looked for, and where. */
export interface Verified {
  /** Undefined: there was nothing to look for, or no file of memory is on this machine. */
  readonly isGone: boolean | undefined;
  readonly passages: number;
  readonly files: readonly ScannedFile[];
}

/** Reads the files of memory that are on this machine. @throws CommandProblem `not-verified` if one of them cannot be read */
export async function verifyForgotten({ texts, places, receiptId }: Forgotten): Promise<Verified> {
  const passages = passagesOf(texts);
  try {
    const files = passages.length === 0 ? [] : await scanFiles(places, passages);
    const isGone = files.length === 0 ? undefined : files.every(({ found }) => found === 0);
    return { isGone, passages: passages.length, files };
  } catch (error) {
    // The receipt would be lost: nothing has been written yet.
    const { message } = error as Error;
    throw new CommandProblem("not-verified", `forgotten (receipt ${receiptId}), but not verified: ${message}`);
  }
}

/** Says it to people. */
export function writeVerified(
  { isGone, passages, files }: Verified,
  { write, note }: Pick<CommandContext, "write" | "note">,
) {
  if (isGone === undefined) {
    note(
      passages === 0
        ? "Nothing to look for: no memory has a text of its own.\n"
        : "Not verified: the files of memory are not on this machine.\n",
    );
    return;
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const looked = `${passages} passages in ${files.length} files, ${bytes} bytes`;
  if (isGone) write(`Verified: none of ${looked}\n`);
  else {
    for (const { path, found } of files.filter((file) => file.found > 0))
      write(`STILL THERE: ${found} of ${looked}: ${path}\n`);
    note("Summaries hold what their conversations said: memory forget --session, or memory rm, removes one\n");
  }
}
