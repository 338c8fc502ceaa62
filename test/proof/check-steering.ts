/** Steering after the last process ended: accepted is never lost, and read once (R8). */
import { DatabaseSync } from "node:sqlite";
import type { Job } from "./jobs.ts";
import type { Ledger } from "./ledger.ts";

interface EventRow {
  readonly task: string;
  readonly body: string;
}

/** Sums for the report. */
export interface SteeringFigures {
  readonly steered: number;
  readonly withdrawn: number;
}

/** Compares the messages sent to running sessions with those that turns read and those that still wait. */
export function checkSteering(file: string, jobs: readonly Job[], ledger: Ledger): SteeringFigures {
  const db = new DatabaseSync(file);
  // A message is read by a turn at work, or becomes (part of) the first message of one of its own.
  const reading = "SELECT task, body FROM event WHERE kind IN ('input.consumed', 'task.accepted')";
  const readers = db.prepare(reading).all() as unknown as EventRow[];
  const waiting = (db.prepare("SELECT body FROM steering").all() as unknown as { body: string }[]).map(
    ({ body }) => body,
  );
  db.close();
  for (const { token, text, steer } of jobs) {
    if (steer === undefined) continue;
    const steered = JSON.stringify(text);
    const count = (body: string): number => body.split(steered).length - 1;
    const read = readers.filter(({ body }) => count(body) > 0);
    const times = read.reduce((sum, { body }) => sum + count(body), 0);
    const unread = waiting.filter((body) => count(body) > 0).length;
    const where = `read by ${read.map(({ task }) => task).join(", ") || "no turn"}, ${unread} times unread`;
    if (times + unread > 1) ledger.blame(`R8: steering ${token} is there more than once: ${where}`);
    if (ledger.withdrawn.has(token) && times + unread > 0) ledger.blame(`R8: ${token} was withdrawn, and is ${where}`);
    if (steer.withdraws || !ledger.steered.has(token)) continue;
    if (times + unread === 0) ledger.blame(`EN9: accepted steering ${token} is lost`);
  }
  return { steered: ledger.steered.size, withdrawn: ledger.withdrawn.size };
}
