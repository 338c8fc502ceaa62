import { type JournalRow, timeOf } from "./journal.ts";
import type { Step, StepState } from "./step.ts";

/** A step while the journal is read; without an `end` it is still running. */
export interface StepDraft {
  readonly id: string;
  readonly kind: Step["kind"];
  readonly call: string;
  readonly label: string;
  readonly begin: number;
  readonly rows: JournalRow[];
  readonly waits: { readonly prompt: string; readonly begin: number; end?: number }[];
  readonly inside: StepDraft[];
  end?: number;
  state?: StepState;
  ms?: number;
  usage: Step["usage"];
  costUsd: number | null;
  note: string;
}

/** The steps found so far in a journal. */
export interface Reading {
  readonly task: string;
  readonly steps: StepDraft[];
  /** Steps by the id of their call; a later step of the same id replaces an earlier one. */
  readonly calls: Map<string, StepDraft>;
  /** Time of the last row, epoch milliseconds. */
  last: number;
}

/** Adds a step that begins with a row; `into` is the list it belongs to. A moment ends at once. */
export function add(
  { task, steps, calls }: Reading,
  row: JournalRow,
  { kind, call, label, begin = timeOf(row) }: Pick<StepDraft, "kind" | "call" | "label"> & { readonly begin?: number },
  into: StepDraft[] = steps,
): StepDraft {
  const step: StepDraft = {
    ...{ id: `${task}/${row.seq}/${call}`, kind, call, label, begin, rows: [row], waits: [], inside: [] },
    ...{ usage: null, costUsd: null, note: "" },
    ...(kind === "moment" && { end: begin, state: "done" as const }),
  };
  into.push(step);
  if (call !== "") calls.set(call, step);
  return step;
}

/** Ends a running step with a row; a call that ended already, or is unknown, stays as it is. */
export function close({ calls }: Reading, call: string, row: JournalRow, state: StepState): void {
  const step = calls.get(call);
  if (step === undefined || step.end !== undefined) return;
  if (step.rows.at(-1) !== row) step.rows.push(row);
  step.end = timeOf(row);
  step.state = state;
}

/** Appends a note to a step, with the row it comes from. */
export function addNote({ calls }: Reading, call: string, row: JournalRow | undefined, note: string): void {
  const step = calls.get(call);
  if (step === undefined) return;
  if (row !== undefined) step.rows.push(row);
  step.note = [step.note, note].filter(Boolean).join(", ");
}

/** All steps with those inside of them. */
export function everyStep(steps: readonly StepDraft[]): StepDraft[] {
  return steps.flatMap((step) => [step, ...everyStep(step.inside)]);
}
