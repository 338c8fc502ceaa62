import { wallMinuteOf } from "./iso-instant.ts";
import { nextLocalMinute } from "./local-times.ts";
import type { Schedule } from "./schedule.ts";
import type { Transition } from "./zone.ts";

/** What a change of clocks does to a schedule. */
export interface DstNote {
  /** When clocks change, in epoch milliseconds. */
  readonly at: number;
  readonly effect: "moved" | "skipped" | "first time only" | "both times";
  readonly text: string;
}

const MINUTE_MS = 60_000;
const DAY = 1440;

/** The changes of clocks after `after` and before `until` at which a schedule has a time, in order. */
export function dstNotes(schedule: Schedule, after: number, until: number): readonly DstNote[] {
  if (schedule.kind === "once") return notesOfOnce(schedule);
  const notes: DstNote[] = [];
  const end = Math.ceil(until / MINUTE_MS);
  for (let from = Math.floor(after / MINUTE_MS); ; ) {
    const { next } = schedule.zone.around(from, end);
    if (next === undefined) return notes;
    const [shownBefore, shownAfter] = [next.at + next.before, next.at + next.after];
    const [low, high] = [Math.min(shownBefore, shownAfter), Math.max(shownBefore, shownAfter)];
    const first = nextLocalMinute(schedule.pattern, low, high);
    if (first !== undefined) notes.push(noteOf(schedule.pattern.fixedTime, next, first));
    from = next.at;
  }
}

/** A datetime that clocks skip is moved to the change; of one that they repeat, the second time comes after it. */
function notesOfOnce({ text, at, zone }: Extract<Schedule, { kind: "once" }>): readonly DstNote[] {
  const wall = wallMinuteOf(text);
  if (wall === undefined) return [];
  const minute = Math.floor(at / MINUTE_MS);
  const { next } = zone.around(minute - 1, minute + DAY);
  if (next === undefined) return [];
  const [shownBefore, shownAfter] = [next.at + next.before, next.at + next.after];
  const isTouched = wall >= Math.min(shownBefore, shownAfter) && wall < Math.max(shownBefore, shownAfter);
  return isTouched ? [noteOf(true, next, wall)] : [];
}

function noteOf(fixedTime: boolean, { at, before, after }: Transition, first: number): DstNote {
  const skips = after > before;
  const effect = skips ? (fixedTime ? "moved" : "skipped") : fixedTime ? "first time only" : "both times";
  const change = `clocks go from ${shown(at + before)} to ${shown(at + after).slice(11)}`;
  const what = {
    moved: `${shown(first).slice(11)} does not exist; it runs when the clocks change`,
    skipped: `times from ${shown(first).slice(11)} on do not exist and are skipped`,
    "first time only": `${shown(first).slice(11)} comes twice; it runs the first time only`,
    "both times": `times from ${shown(first).slice(11)} on come twice and run both times`,
  }[effect];
  return { at: at * MINUTE_MS, effect, text: `${change}: ${what}` };
}

function shown(minute: number): string {
  return new Date(minute * MINUTE_MS).toISOString().slice(0, 16).replace("T", " ");
}
