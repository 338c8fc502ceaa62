/** Commands of a trial, whose effects count themselves: each appends its token to a file, and some leave a process behind. */
import { mkdirSync, writeFileSync } from "node:fs";
import type { Random } from "./random.ts";

/** The program of the trial, which settings let run unasked where there is no sandbox. */
const PROGRAM = "count-once";
/** Where commands leave their tokens, in the project. */
export const LINES = "commands.log";

/** Names a call of `run_command`: unique in a trial. */
export const TOKEN = /\bcmd-[\w.-]+/;

/** What the program does with its token, the hundredths of a second before and after, and how it leaves. */
const SCRIPT = `#!/bin/sh
[ "$4" = stubborn ] && trap '' TERM HUP
sleep "0.$2"
echo "$1" >> ${LINES}
[ "$4" = leaves ] && { setsid sleep 1000 > /dev/null 2>&1 & }
sleep "0.$3"
`;

/** Puts the program into a folder of the path. */
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
