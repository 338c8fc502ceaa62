/** Compares a ledger of slots with what a scan of every minute found. */

/** A row of the ledger as it is stored; minutes since 1970 UTC. */
export interface LedgerRow {
  readonly job: string;
  readonly slot: number;
  readonly attempt: number;
  readonly state: string;
  readonly upto: number | undefined;
  readonly missed: number | undefined;
}

export interface LedgerCounts {
  slots: number;
  ran: number;
  missed: number;
  skipped: number;
}

/** What is wrong with the rows of one job, of which `slots` should be there; `counts` grows by what was found. */
export function checkLedger(rows: readonly LedgerRow[], slots: readonly number[], counts: LedgerCounts): string[] {
  const problems: string[] = [];
  const seen = new Map<number, number>();
  const note = (slot: number): void => void seen.set(slot, (seen.get(slot) ?? 0) + 1);
  for (const { job, slot, attempt, state, upto = slot, missed } of rows) {
    if (state === "running") problems.push(`${job} ${at(slot)} is still open`);
    if (attempt !== 1) continue;
    if (state !== "missed") {
      note(slot);
      if (state === "skipped") counts.skipped++;
      else counts.ran++;
      continue;
    }
    const within = slots.filter((one) => one >= slot && one <= upto);
    counts.missed += within.length;
    if (missed !== Math.min(1_000, within.length))
      problems.push(`${job} ${at(slot)} to ${at(upto)}: ${missed} missed, not ${within.length}`);
    for (const one of within) note(one);
  }
  counts.slots += slots.length;
  const job = rows[0]?.job ?? "a job";
  for (const slot of slots) {
    const times = seen.get(slot) ?? 0;
    if (times !== 1) problems.push(`${job} ${at(slot)} is in the ledger ${times} times`);
    seen.delete(slot);
  }
  for (const slot of seen.keys()) problems.push(`${job} ${at(slot)} is in the ledger and is no slot`);
  return problems;
}

function at(minute: number): string {
  return new Date(minute * 60_000).toISOString();
}
