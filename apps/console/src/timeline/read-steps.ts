import { finishStep } from "./finish-step.ts";
import { type JournalRow, type RowOf, type TimelineSource, timeOf } from "./journal.ts";
import { momentLabel, shortened } from "./moment-label.ts";
import type { Step, StepState } from "./step.ts";
import { add, addNote, close, everyStep, type Reading } from "./step-draft.ts";

/** Shorter waits in the queue are not shown. */
const NOTABLE_QUEUE_MS = 100;

/**
 * Returns the steps of a task in the order in which they began, one for each call. Steps that are still running end at
 * `now`, epoch milliseconds. A journal that was read in part gives the steps of that part.
 */
export function readSteps(source: TimelineSource, now: number): readonly Step[] {
  const reading: Reading = { task: source.task.task_id, steps: [], calls: new Map(), last: 0 };
  for (const row of source.events) {
    take(reading, row);
    reading.last = timeOf(row);
  }
  const over = source.task.state !== "working" && source.task.state !== "input-required";
  const latest = Math.max(reading.last, over ? Date.parse(source.task.last_updated) : now);
  return reading.steps
    .filter(({ kind, begin, end }) => kind !== "queue" || (end ?? latest) - begin >= NOTABLE_QUEUE_MS)
    .map((draft) => finishStep(draft, { source, latest, readChild: (child) => readSteps(child, now) }));
}

function take(reading: Reading, row: JournalRow): void {
  switch (row.kind) {
    case "accepted":
      add(reading, row, { kind: "queue", call: "queue", label: "Queued" });
      return;
    case "started":
      close(reading, "queue", row, "done");
      return;
    case "model_started":
      leaveQueue(reading, row);
      add(reading, row, { kind: "model", call: row.call_id, label: row.model });
      return;
    case "model_finished":
    case "model_failed":
      endModel(reading, row);
      return;
    case "model_retried":
      addNote(reading, row.call_id, row, `tried again after ${row.code}`);
      return;
    case "tool_started":
      startTool(reading, row);
      return;
    case "approval_skipped":
      addNote(reading, row.call_id, row, SKIPPED[row.by]);
      return;
    case "tool_finished":
      if (!reading.calls.has(row.call_id)) {
        const begin = timeOf(row) - row.duration_ms;
        add(reading, row, { kind: "tool", call: row.call_id, label: row.tool, begin });
      }
      close(reading, row.call_id, row, STATES[row.outcome] ?? "failed");
      setDuration(reading, row);
      addNote(reading, row.call_id, undefined, row.outcome === "ok" ? "" : (OUTCOMES[row.outcome] ?? row.outcome));
      return;
    case "delegation_finished":
    case "component_shown":
      reading.calls.get(row.call_id)?.rows.push(row);
      return;
    default:
      takeOther(reading, row);
  }
}

const SKIPPED = {
  bypass: "not asked: approvals were bypassed",
  rule: "not asked: the settings allow it",
  grant: "not asked: always allowed",
} as const;

/** A call that a person stopped did not fail. */
const STATES: Readonly<Record<string, StepState>> = { ok: "done", aborted: "interrupted" };
const OUTCOMES: Readonly<Record<string, string>> = {
  error: "failed",
  denied: "not allowed",
  aborted: "stopped",
  unknown: "outcome unknown",
};

function takeOther(reading: Reading, row: JournalRow): void {
  switch (row.kind) {
    case "parked":
      for (const prompt of row.prompts) park(reading, row, prompt);
      return;
    case "answered":
    case "withdrawn":
      for (const step of everyStep(reading.steps)) {
        const wait = step.waits.find((one) => one.prompt === row.prompt_id && one.end === undefined);
        if (wait === undefined) continue;
        wait.end = timeOf(row);
        step.rows.push(row);
      }
      return;
    case "reply_rejected":
      addNote(reading, row.prompt.call_id, row, "a reply was not valid");
      return;
    case "detail_removed":
      forgetQueue(reading);
      addMoment(reading, row);
      return;
    case "resumed":
      interrupt(reading, row);
      add(reading, row, { kind: "moment", call: "", label: "Continued after a restart" });
      return;
    case "completed":
    case "failed":
    case "canceled":
      endTask(reading, row);
      return;
    default:
      addMoment(reading, row);
  }
}

/** The row of the end may be written later than the call ended, with those of others. */
function setDuration({ calls }: Reading, { call_id: call, duration_ms: ms }: RowOf<"tool_finished">): void {
  const step = calls.get(call);
  if (step !== undefined) step.ms ??= ms;
}

function addMoment(reading: Reading, row: JournalRow): void {
  const label = momentLabel(row);
  if (label !== undefined) add(reading, row, { kind: "moment", call: "", label });
}

/** The row that ended the wait in the queue is deleted with the others: how long it was is unknown. */
function forgetQueue({ calls, steps }: Reading): void {
  const queue = calls.get("queue");
  if (queue === undefined || queue.end !== undefined) return;
  steps.splice(steps.indexOf(queue), 1);
  calls.delete("queue");
}

/** A turn that began at once was never queued, and its journal has no row for the start. */
function leaveQueue(reading: Reading, row: JournalRow): void {
  const queue = reading.calls.get("queue");
  if (queue === undefined || queue.end !== undefined) return;
  queue.end = timeOf(row);
  queue.state = "done";
}

function endModel(reading: Reading, row: RowOf<"model_finished"> | RowOf<"model_failed">): void {
  const known = reading.calls.get(row.call_id);
  // The journal may have been read from its middle on.
  const step =
    known?.kind === "model" && known.end === undefined
      ? known
      : add(reading, row, {
          ...{ kind: "model", call: row.call_id, label: row.model },
          begin: timeOf(row) - row.duration_ms,
        });
  if (step.rows.at(-1) !== row) step.rows.push(row);
  step.end = timeOf(row);
  step.state = row.kind === "model_finished" ? "done" : row.code === "aborted" ? "interrupted" : "failed";
  step.usage = row.usage;
  step.costUsd = row.cost_usd;
  const effort = row.reasoning_effort === null ? "" : `reasoning effort ${row.reasoning_effort}`;
  const failed = row.kind === "model_failed" && row.code !== "aborted" ? row.code : "";
  step.note = [step.note, effort, failed].filter(Boolean).join(", ");
}

function startTool(reading: Reading, row: RowOf<"tool_started">): void {
  const known = reading.calls.get(row.call_id);
  if (known !== undefined && known.end === undefined) {
    // It waited for an approval before it started, or starts again after a restart.
    known.rows.push(row);
    return;
  }
  add(reading, row, { kind: "tool", call: row.call_id, label: row.tool }, insideOf(reading, row));
}

/** The calls of the call that made this one; undefined: the model made it. */
function insideOf(reading: Reading, { parent_call_id: parent }: { readonly parent_call_id: string | null }) {
  return parent === null ? undefined : reading.calls.get(parent)?.inside;
}

function park(reading: Reading, row: RowOf<"parked">, prompt: RowOf<"parked">["prompts"][number]): void {
  const known = reading.calls.get(prompt.call_id);
  const step =
    known !== undefined && known.end === undefined
      ? known
      : add(reading, row, { kind: "tool", call: prompt.call_id, label: prompt.tool }, insideOf(reading, prompt));
  if (step.rows.at(-1)?.seq !== row.seq) step.rows.push(row);
  // A task that is parked again lists the prompts that are still waiting once more.
  if (step.waits.some((wait) => wait.prompt === prompt.prompt_id && wait.end === undefined)) return;
  step.waits.push({ prompt: prompt.prompt_id, begin: timeOf(row) });
}

/** The process ended: its model calls never return. Tool calls have rows of their own for their outcome. */
function interrupt(reading: Reading, row: RowOf<"started" | "resumed">): void {
  leaveQueue(reading, row);
  for (const step of reading.steps) {
    if (step.kind !== "model" || step.end !== undefined) continue;
    step.end = Math.max(step.begin, reading.last);
    step.state = "interrupted";
  }
}

function endTask(reading: Reading, row: RowOf<"completed" | "failed" | "canceled">): void {
  const at = timeOf(row);
  for (const step of everyStep(reading.steps)) {
    for (const wait of step.waits) wait.end ??= at;
    if (step.end !== undefined) continue;
    step.end = at;
    step.state = step.kind === "queue" ? "done" : "interrupted";
  }
  if (row.kind === "completed" && row.message === null) return;
  const verbs = { completed: "Ended", failed: "Failed", canceled: "Canceled" } as const;
  const why = row.message === null ? "" : `: ${shortened(row.message)}`;
  const step = add(reading, row, { kind: "moment", call: "", label: `${verbs[row.kind]}${why}` });
  if (row.kind === "failed") step.state = "failed";
}
