import type { CommandContext } from "./command.ts";
import { clean } from "./terminal-text.ts";

/** What clients are given of a file beside the patch. */
interface DiffFile {
  readonly path: string;
  readonly binary: boolean;
  readonly denied: boolean;
  readonly too_large?: boolean | undefined;
  readonly reason?: string | null | undefined;
}

/** The lines of a patch, coloured on a terminal. */
export function patchLines(patch: string, paint: CommandContext["paint"]): readonly string[] {
  return clean(patch)
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (/^(\+\+\+|---)/.test(line)) return paint("dim", line);
      return line.startsWith("+") ? paint("green", line) : line.startsWith("-") ? paint("red", line) : line;
    });
}

/** A patch for people; blank where there is none. */
export function patchText(patch: string, paint: CommandContext["paint"]): string {
  return patch === "" ? "" : `${patchLines(patch, paint).join("\n")}\n`;
}

/** A line for each file that the patch does not show, with the reason. */
export function notShown(files: readonly DiffFile[]): readonly string[] {
  return files.flatMap(({ path, binary, denied, too_large, reason }) => {
    const why =
      reason ??
      (denied ? "its name says that it holds secrets" : binary ? "binary" : too_large ? "too large" : undefined);
    return why === undefined ? [] : [`${clean(path)}: not shown (${why.replaceAll("_", " ")})\n`];
  });
}
