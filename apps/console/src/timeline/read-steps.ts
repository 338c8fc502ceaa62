import type { JournalRow, RowOf, TimelineSource } from "./journal.ts";
import type { Branch, Span, Step, StepState } from "./step.ts";

/** A step while the journal is read. `end` undefined: it is under way. */
interface Draft {
  readonly id: string;
  readonly kind: Step["kind"];
  readonly call: string;
  readonly label: string;
  readonly begin: number;
  readonly rows: JournalRow[];
  readonly waits: { readonly prompt: string; readonly begin: number; end?: number }[];
  readonly inside: Draft[];
  end?: number;
  state?: StepState;
  usage: Step["usage"];
  costUsd: number | null;
  note: string;
}

interface Reading {
  readonly task: string;
  readonly steps: Draft[];
  /** Tool calls by id, and the model call under way under its own. */
  readonly calls: Map<string, Draft>;
  last: number;
}

/** Shorter waits in line are nothing to tell. */
const NOTABLE_QUEUE_MS = 100;

/** Time of a line: epoch milliseconds. */
export function timeOf(row: JournalRow): number {
  return Date.parse(row.at);
}

/**
 * The steps of a task, in the order they began: what began and ended in its journal, one step for each call. What is
 * under way ends at `now`, epoch milliseconds. Journals that were read in part give the steps of that part.
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
    .map((draft) => stepOf(draft, source, now, latest));
}

function take(reading: Reading, row: JournalRow): void {
  switch (row.kind) {
    case "accepted":
      add(reading, row, { kind: "queue", call: "queue", label: "In line" });
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
      say(reading, row.call_id, row, `tried again after ${row.code}`);
      return;
    case "tool_started":
      startTool(reading, row);
      return;
    case "tool_finished":
      if (!reading.calls.has(row.call_id)) {
        const begin = timeOf(row) - row.duration_ms;
        add(reading, row, { kind: "tool", call: row.call_id, label: row.tool, begin });
      }
      close(reading, row.call_id, row, STATES[row.outcome] ?? "failed");
      say(reading, row.call_id, undefined, row.outcome === "ok" ? "" : (OUTCOMES[row.outcome] ?? row.outcome));
      return;
    case "delegation_finished":
    case "component_shown":
      reading.calls.get(row.call_id)?.rows.push(row);
      return;
    default:
      takePerson(reading, row);
  }
}

/** Who stops the agent makes nothing fail. */
const STATES: Readonly<Record<string, StepState>> = { ok: "done", aborted: "interrupted" };
const OUTCOMES: Readonly<Record<string, string>> = {
  error: "failed",
  denied: "not allowed",
  aborted: "stopped",
  unknown: "outcome unknown",
};

function takePerson(reading: Reading, row: JournalRow): void {
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
      say(reading, row.prompt.call_id, row, "a reply did not fit");
      return;
    case "resumed":
      interrupt(reading, row);
      add(reading, row, { kind: "moment", call: "", label: "Went on after a restart" });
      return;
    case "completed":
    case "failed":
    case "canceled":
      endTask(reading, row);
      return;
    default: {
      const label = momentLabel(row);
      if (label !== undefined) add(reading, row, { kind: "moment", call: "", label });
    }
  }
}

/** What a moment is called; undefined for lines that say nothing to people. */
function momentLabel(row: JournalRow): string | undefined {
  switch (row.kind) {
    case "steered":
      return `You said: ${shortened(row.texts.join(" "))}`;
    case "noted":
      return `Guard ${row.guard}: ${shortened(row.text)}`;
    case "pruned":
      return `Shortened ${row.results} old results`;
    case "compacted":
      return `Summarised ${row.summarised} messages`;
    case "cut":
      return `Left ${row.left} old messages out of the model's sight`;
    case "model_fallback":
      return `Went on with ${row.to}`;
    case "answer":
      return "Answer";
    default:
      return undefined;
  }
}

function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

function add(
  { task, steps, calls }: Reading,
  row: JournalRow,
  { kind, call, label, begin = timeOf(row) }: Pick<Draft, "kind" | "call" | "label"> & { readonly begin?: number },
  into: Draft[] = steps,
): Draft {
  const step: Draft = {
    ...{ id: `${task}/${row.seq}/${call}`, kind, call, label, begin, rows: [row], waits: [], inside: [] },
    ...{ usage: null, costUsd: null, note: "" },
    ...(kind === "moment" && { end: begin, state: "done" as const }),
  };
  into.push(step);
  if (call !== "") calls.set(call, step);
  return step;
}

function close({ calls }: Reading, call: string, row: JournalRow, state: StepState): void {
  const step = calls.get(call);
  if (step === undefined || step.end !== undefined) return;
  if (step.rows.at(-1) !== row) step.rows.push(row);
  step.end = timeOf(row);
  step.state = state;
}

function say({ calls }: Reading, call: string, row: JournalRow | undefined, note: string): void {
  const step = calls.get(call);
  if (step === undefined) return;
  if (row !== undefined) step.rows.push(row);
  step.note = [step.note, note].filter(Boolean).join(", ");
}

/** A turn that began at once never stood in line, and its journal says nothing of it. */
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
  if (row.kind === "model_failed" && row.code !== "aborted")
    step.note = [step.note, row.code].filter(Boolean).join(", ");
}

function startTool(reading: Reading, row: RowOf<"tool_started">): void {
  const known = reading.calls.get(row.call_id);
  if (known !== undefined && known.end === undefined) {
    // It waited for an approval before it began, or begins again after a restart.
    known.rows.push(row);
    return;
  }
  const parent = row.parent_call_id === null ? undefined : reading.calls.get(row.parent_call_id);
  add(reading, row, { kind: "tool", call: row.call_id, label: row.tool }, parent?.inside);
}

function park(reading: Reading, row: RowOf<"parked">, prompt: RowOf<"parked">["prompts"][number]): void {
  const known = reading.calls.get(prompt.call_id);
  const step =
    known !== undefined && known.end === undefined
      ? known
      : add(reading, row, { kind: "tool", call: prompt.call_id, label: prompt.tool });
  if (step.rows.at(-1)?.seq !== row.seq) step.rows.push(row);
  // A task that is parked a second time names the prompts that go on waiting again.
  if (step.waits.some((wait) => wait.prompt === prompt.prompt_id && wait.end === undefined)) return;
  step.waits.push({ prompt: prompt.prompt_id, begin: timeOf(row) });
}

/** The process ended: its model calls will not come back. Tool calls are told of by their own lines. */
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
  const words = { completed: "Ended", failed: "Failed", canceled: "Canceled" } as const;
  const why = row.message === null ? "" : `: ${shortened(row.message)}`;
  const step = add(reading, row, { kind: "moment", call: "", label: `${words[row.kind]}${why}` });
  if (row.kind === "failed") step.state = "failed";
}

function everyStep(steps: readonly Draft[]): Draft[] {
  return steps.flatMap((step) => [step, ...everyStep(step.inside)]);
}

function stepOf(draft: Draft, source: TimelineSource, now: number, latest: number): Step {
  const { id, kind, label, begin, rows, note } = draft;
  const waits: Span[] = draft.waits.map((wait) => ({ begin: wait.begin, end: wait.end ?? latest }));
  const branches = branchesOf(draft, source, now, latest);
  // A call waits for a person where what it delegated does.
  const waiting =
    draft.waits.some((wait) => wait.end === undefined) ||
    branches.some(({ steps }) => steps.some(({ state }) => state === "waiting"));
  const [only, ...others] = branches.filter(({ task }) => task !== undefined);
  const role = only?.task?.role ?? undefined;
  return {
    ...{ id, kind, begin, end: Math.max(begin, draft.end ?? latest), waits, note, rows, branches },
    ...accountOf(draft, branches),
    label: kind === "tool" && role !== undefined && others.length === 0 ? `${label} (${role})` : label,
    state: draft.state ?? (waiting ? "waiting" : "running"),
  };
}

/** A model call's own tokens and cost; of a call that delegated, those of its tasks. */
function accountOf({ usage, costUsd }: Draft, branches: readonly Branch[]): Pick<Step, "usage" | "costUsd"> {
  const tasks = branches.flatMap(({ task }) => (task === undefined ? [] : [task]));
  if (tasks.length === 0) return { usage, costUsd };
  const sum = (name: keyof NonNullable<Step["usage"]>): number =>
    tasks.reduce((total, task) => total + task.usage[name], 0);
  return {
    usage: {
      input_tokens: sum("input_tokens"),
      output_tokens: sum("output_tokens"),
      cache_read_tokens: sum("cache_read_tokens"),
      cache_creation_tokens: sum("cache_creation_tokens"),
    },
    // Of what is not known the sum is not known.
    costUsd: tasks.reduce<number | null>(
      (total, { cost_usd }) => (total === null || cost_usd === null ? null : total + cost_usd),
      0,
    ),
  };
}

function branchesOf(draft: Draft, source: TimelineSource, now: number, latest: number): readonly Branch[] {
  const inside = draft.inside.map((step) => stepOf(step, source, now, latest));
  const own = { id: `${draft.id}/inside`, label: "Calls inside", steps: inside, more: false };
  if (draft.kind !== "tool") return [];
  const tasks = source.children
    .filter(({ task }) => task.parent_call_id === draft.call)
    .map((child) => ({
      id: child.task.task_id,
      label: child.task.role ?? "task",
      task: child.task,
      steps: readSteps(child, now),
      more: child.more ?? false,
    }));
  return inside.length > 0 ? [own, ...tasks] : tasks;
}
