import cronstrue from "cronstrue";
import type { Schedule } from "./schedule.ts";

/** A schedule in English, without its zone. */
export function wordsOf(schedule: Schedule): string {
  if (schedule.kind === "once") return `Once, at ${schedule.text}`;
  return cronstrue.toString(schedule.pattern.text, { use24HourTimeFormat: true, verbose: false });
}
