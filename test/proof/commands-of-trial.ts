/** Commands of a trial, whose effects count themselves: each appends its token to a file, and some leave a process behind. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";

/** Sums for the report. */
export interface CommandFigures {
  readonly commands: number;
  readonly commandLines: number;
}

/** The program of the trial, which settings let run unasked where there is no sandbox. */
const PROGRAM = "count-once";
/** Where commands leave their tokens, in the project. */
const LINES = "commands.log";

const TOKEN = /\bcmd-[\w.-]+/;

/** What the program does with its token, the hundredths of a second before and after, and how it leaves. */
const SCRIPT = `#!/bin/sh
[ "$4" = stubborn ] && trap '' TERM HUP
sleep "0.$2"
echo "$1" >> ${LINES}
[ "$4" = leaves ] && { setsid sleep 1000 > /dev/null 2>&1 & }
sleep "0.$3"
`;

/** Puts the program into a folder of the path; resolves with nothing. */
export function writeProgram(folder: string): void {
  mkdirSync(folder);
  writeFileSync(`${folder}/${PROGRAM}`, SCRIPT, { mode: 0o755 });
}

/** The section `filesystem` of a trial. In the sandbox nothing outside of it is found, so all its commands are asked about. */
export function commandSettings(sandboxed: boolean): string {
  return `filesystem:\n  sandbox: ${sandboxed ? "auto" : "off"}\n  run_auto_approve: [${PROGRAM}]\n`;
}

/** The arguments of a call of `run_command`. */
export function drawCommand(random: Random, name: string, sandboxed: boolean): { readonly command: string } {
  const token = `cmd-${name}`;
  const hundredths = (): string => String(random.int(0, 4)).padStart(2, "0");
  if (!sandboxed && random.chance(0.7)) {
    const manner = random.pick(["plain", "plain", "stubborn", "leaves"]);
    return { command: `${PROGRAM} ${token} ${hundredths()} ${hundredths()} ${manner}` };
  }
  const leaves = random.chance(0.3) ? "setsid sleep 1000 > /dev/null 2>&1 & " : "";
  return { command: `sleep 0.${hundredths()}; echo ${token} >> ${LINES}; ${leaves}sleep 0.${hundredths()}` };
}

interface CallRow {
  readonly id: string;
  readonly args: string;
  readonly outcome: string | null;
}

/** R3, EN9: what commands did, against what was intended, recorded and allowed. `project`: where they ran. */
export function checkCommands(file: string, project: string, ledger: Ledger): CommandFigures {
  const db = new DatabaseSync(file);
  const calls = db
    .prepare("SELECT id, args, outcome FROM call WHERE name = 'run_command'")
    .all() as unknown as CallRow[];
  const again = db
    .prepare("SELECT call FROM prompt WHERE reason = 'again' AND answer LIKE '%\"approved\":true%'")
    .all() as { call: string }[];
  db.close();
  const lines = readLines(`${project}/${LINES}`);
  const byToken = Map.groupBy(calls, ({ args }) => TOKEN.exec(args)?.[0] ?? "");
  for (const [token, same] of Map.groupBy(lines, (line) => line)) {
    const of = byToken.get(token) ?? [];
    if (of.length === 0) ledger.blame(`EN5: ${token} was written by a command that has no intent`);
    const most = 1 + again.filter(({ call }) => of.some(({ id }) => id === call)).length;
    if (same.length > most) ledger.blame(`R3: command ${token} ran ${same.length} times; ${most} were allowed`);
  }
  for (const [token, same] of byToken) {
    const wrote = lines.includes(token);
    if (same.length > 1 && same.filter(({ outcome }) => outcome === "ok").length > 1)
      ledger.blame(`SC2: command ${token} is recorded as done by ${same.length} calls`);
    for (const { id, outcome } of same) {
      if (outcome === "ok" && !wrote)
        ledger.blame(`EN9: command ${token} (${id}) is recorded as done; its line is missing`);
      if (same.length === 1 && wrote && (outcome === "denied" || outcome === "aborted"))
        ledger.blame(`R3: command ${token} ran, and its call ${id} is recorded as ${outcome}`);
    }
  }
  return { commands: calls.length, commandLines: lines.length };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}
