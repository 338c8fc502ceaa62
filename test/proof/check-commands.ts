import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { LINES, TOKEN } from "./commands-of-trial.ts";
import type { Ledger } from "./ledger.ts";

/** Sums for the report. */
export interface CommandFigures {
  readonly commands: number;
  readonly commandLines: number;
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
