import { readFileSync } from "node:fs";

/** A change of the code and what the tests made of it. Lines and columns as an editor counts them, from 1. */
export interface Mutant {
  readonly file: string;
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
  readonly mutator: string;
  readonly replacement: string;
  readonly status: string;
}

export interface MutantReport {
  /** How many mutants the folder has, tried or not. */
  readonly all: number;
  readonly mutants: readonly Mutant[];
}

/** What distinguishes a mutant from the others of its folder, as long as the code stays as it is. */
export function keyOf({ file, start, end, mutator, replacement }: Omit<Mutant, "status">): string {
  return JSON.stringify([file, start.line, start.column, end.line, end.column, mutator, replacement]);
}

/** Reads what runs have left in a report file: one line a mutant, and the last line of one counts. */
export function readReport(text: string): MutantReport {
  const [first, ...lines] = text.split("\n").filter((line) => line !== "");
  const mutants = new Map<string, Mutant>();
  for (const line of lines) {
    const mutant = JSON.parse(line) as Mutant;
    mutants.set(keyOf(mutant), mutant);
  }
  return { all: (JSON.parse(first ?? "{}") as { readonly all?: number }).all ?? 0, mutants: [...mutants.values()] };
}

/** The text of a report without the mutants of a file, which is named by the end of its path. */
export function withoutFile(text: string, file: string): string {
  const [first = "", ...lines] = text.split("\n");
  const others = lines.filter((line) => line === "" || !`/${(JSON.parse(line) as Mutant).file}`.endsWith(`/${file}`));
  return [first, ...others].join("\n");
}

/** Mutants that a test noticed, and all that could be tried: one that does not load is no evidence about the tests. */
export function scoreOf(mutants: readonly Mutant[]): { readonly noticed: number; readonly tried: number } {
  const noticed = mutants.filter(({ status }) => status === "Killed" || status === "Timeout").length;
  return { noticed, tried: noticed + openOf(mutants).length };
}

/** Mutants that no test noticed. */
export function openOf(mutants: readonly Mutant[]): Mutant[] {
  return mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage");
}

/** The survivors with their position and code, the score of each file, and the score of all. */
export function printReport(folder: string, report: MutantReport, pathOf: (mutant: Mutant) => string): string {
  const files = Map.groupBy(report.mutants, ({ file }) => file);
  const lines = [...files].flatMap(([file, mutants]) => {
    const survivors = openOf(mutants);
    return [
      `${scoreText(mutants).padEnd(18)} ${file}`,
      ...survivors.map((mutant) => `  ${printMutant(mutant, pathOf(mutant))}`),
    ];
  });
  return [
    ...lines,
    `${scoreText(report.mutants)} of ${folder}, ${report.mutants.length} of ${report.all} mutants tried`,
  ].join("\n");
}

function scoreText(mutants: readonly Mutant[]): string {
  const { noticed, tried } = scoreOf(mutants);
  return tried === 0 ? "nothing to try" : `${noticed}/${tried} (${((100 * noticed) / tried).toFixed(1)} %)`;
}

function printMutant({ start, end, status, replacement }: Mutant, path: string): string {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  const mark = status === "NoCoverage" ? "no test reaches it" : "survived";
  return `${start.line}:${start.column} ${mark}: ${onOneLine(lines.join("\n"))}  →  ${onOneLine(replacement)}`;
}

function onOneLine(code: string): string {
  const line = code.replace(/\s+/g, " ");
  return line.length > 110 ? `${line.slice(0, 70)} … ${line.slice(-35)}` : line;
}
