import { isRisky } from "./risky-option.ts";
import { isPlain, splitCommand } from "./split-command.ts";
import { tooBroad } from "./too-broad.ts";

/** An entry of the settings that allows nothing, with the reason. */
export interface DroppedEntry {
  readonly entry: string;
  readonly why: string;
}

/** What a command matched: the entry, and the tokens that are to be executed, and nothing else. */
export interface AutoApproved {
  readonly entry: string;
  readonly argv: readonly [string, ...string[]];
}

/** The commands that settings let run without asking (`filesystem.run_auto_approve`, F10). */
export class AutoApproval {
  readonly dropped: readonly DroppedEntry[];
  readonly #entries: readonly AutoApproved[];

  constructor(entries: readonly string[]) {
    const read = entries.map(readEntry);
    this.dropped = read.filter((one) => "why" in one);
    this.#entries = read.filter((one) => "argv" in one);
  }

  /** The entry that this command begins with; undefined: it has to be asked about. */
  match(command: string): AutoApproved | undefined {
    if (this.#entries.length === 0 || !isPlain(command)) return undefined;
    const argv = splitCommand(command);
    if (argv === undefined) return undefined;
    const found = this.#entries.find(({ argv: first }) => first.every((token, index) => argv[index] === token));
    if (found === undefined) return undefined;
    const program = nameOf(argv[0]);
    return argv.slice(1).some((token) => isRisky(program, token)) ? undefined : { entry: found.entry, argv };
  }
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

function readEntry(entry: string): AutoApproved | DroppedEntry {
  if (!isPlain(entry)) return { entry, why: "it holds a character that a shell reads, or that is not seen" };
  const argv = splitCommand(entry);
  if (argv === undefined) return { entry, why: "it is empty, begins with a variable, or a quote is open" };
  const broad = tooBroad(argv);
  if (broad !== undefined) return { entry, why: broad };
  const program = nameOf(argv[0]);
  const risky = argv.slice(1).find((token) => isRisky(program, token));
  if (risky !== undefined) return { entry, why: `${risky} may write a file or run a program` };
  return { entry, argv };
}
