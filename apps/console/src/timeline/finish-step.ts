import { isJob, type TimelineSource } from "./journal.ts";
import type { Branch, Span, Step } from "./step.ts";
import type { StepDraft } from "./step-draft.ts";

/** What a finished step is made from besides its draft. */
export interface FinishOptions {
  readonly source: TimelineSource;
  /** End of what is still running, epoch milliseconds. */
  readonly latest: number;
  /** Reads the steps of a delegated task. */
  readonly readChild: (child: TimelineSource) => readonly Step[];
}

/** Turns a draft into a step of the timeline, with what its call delegated. */
export function finishStep(draft: StepDraft, options: FinishOptions): Step {
  const { latest } = options;
  const { id, kind, label, begin, rows, note } = draft;
  const waits: Span[] = draft.waits.map((wait) => ({ begin: wait.begin, end: wait.end ?? latest }));
  const branches = branchesOf(draft, options);
  // A call waits for a person while a task it delegated does.
  const waiting =
    draft.waits.some((wait) => wait.end === undefined) ||
    branches.some(({ steps }) => steps.some(({ state }) => state === "waiting"));
  const [only, ...others] = branches.filter(({ task }) => task !== undefined);
  const role = only?.task?.role ?? undefined;
  return {
    ...{ id, kind, begin, end: Math.max(begin, draft.end ?? latest), waits, note, rows, branches },
    ms: draft.ms,
    ...accountOf(draft, branches),
    label: kind === "tool" && role !== undefined && others.length === 0 ? `${label} (${role})` : label,
    state: draft.state ?? (waiting ? "waiting" : "running"),
  };
}

/** Tokens and cost of a model call; of a call that delegated, the sums of its tasks. */
function accountOf({ usage, costUsd }: StepDraft, branches: readonly Branch[]): Pick<Step, "usage" | "costUsd"> {
  const tasks = branches.flatMap(({ task }) => (task === undefined || isJob(task) ? [] : [task]));
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
    // A sum with an unknown part is unknown.
    costUsd: tasks.reduce<number | null>(
      (total, { cost_usd }) => (total === null || cost_usd === null ? null : total + cost_usd),
      0,
    ),
  };
}

function branchesOf(draft: StepDraft, options: FinishOptions): readonly Branch[] {
  const inside = draft.inside.map((step) => finishStep(step, options));
  const own = { id: `${draft.id}/inside`, label: "Calls inside", steps: inside, more: false };
  if (draft.kind !== "tool") return [];
  const tasks = options.source.children
    .filter(({ task }) => task.parent_call_id === draft.call)
    .map((child) => ({
      id: child.task.task_id,
      label: isJob(child.task) ? `Job (${child.task.role ?? "task"})` : (child.task.role ?? "task"),
      task: child.task,
      steps: options.readChild(child),
      more: child.more ?? false,
    }));
  return inside.length > 0 ? [own, ...tasks] : tasks;
}
