/** The setting `filesystem.editor_command`: a program and its arguments, split by quotes. No shell reads it (F26). */
import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";
import { splitByQuotes } from "../command-approval/index.ts";

type Argv = readonly [string, ...string[]];

function argvOf(command: string): Argv | undefined {
  const [program, ...args] = splitByQuotes(command.replaceAll("\t", " ")) ?? [];
  return program === undefined ? undefined : [program, ...args];
}

/** Why this cannot be an editor's command; undefined: it can, or it is blank. */
export function editorProblem(command: string): string | undefined {
  if (command.trim() === "") return undefined;
  if (/[\0\r\n]/.test(command)) return "expected one line";
  const argv = argvOf(command);
  if (argv === undefined) return "a quote is not closed";
  const [program] = argv;
  if (program === "" || (program.includes("/") && !isAbsolute(program)))
    return "name the program alone, or by its absolute path";
  return undefined;
}

/** Whether one is set. */
export function hasEditor({ editor_command }: { readonly editor_command: string }): boolean {
  return editor_command.trim() !== "";
}

/**
 * The program with its real path, and its arguments. A program in a folder that the agent works in is not started: what it
 * writes there would be run without anyone having seen it.
 * @throws Error that names the setting
 */
export function findEditor(
  command: string,
  { path, roots }: { readonly path: string; readonly roots: readonly string[] },
): Argv {
  const argv = argvOf(command);
  if (argv === undefined) throw new Error("no editor is set: filesystem.editor_command");
  const [program, ...args] = argv;
  const found = isAbsolute(program) ? executableAt(program) : executableOn(path, program);
  if (found === undefined)
    throw new Error(
      `filesystem.editor_command: there is no program ${JSON.stringify(program)}${isAbsolute(program) ? "" : " on the PATH outside of the projects"}`,
    );
  if (roots.some((root) => isInside(found.real, root)))
    throw new Error("filesystem.editor_command names a program in a project, where the agent could change it");
  return [found.path, ...args];
}

interface Executable {
  /** As it was found: what programs are called can decide what they do. */
  readonly path: string;
  readonly real: string;
}

function executableAt(path: string): Executable | undefined {
  try {
    accessSync(path, constants.X_OK);
    return { path, real: realpathSync(path) };
  } catch {
    return undefined;
  }
}

function executableOn(path: string, name: string): Executable | undefined {
  for (const folder of path.split(delimiter)) {
    const found = folder === "" ? undefined : executableAt(join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}
