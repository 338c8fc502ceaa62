import { type CommittedEvent, isTerminalState, type TaskView, taskCost } from "../event/index.ts";

/** Tokens and money of one model in a turn. */
export interface TurnModel {
  readonly model: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  /** US dollars, estimated; null where a price is not known. */
  readonly cost_usd: number | null;
}

/** Numbers of a turn (B46). Times are epoch milliseconds. */
export interface TurnRow {
  readonly task: string;
  /** The event the row is as of. */
  readonly seq: number;
  readonly class: string;
  readonly context: string;
  readonly origin: string;
  /** `completed`, `failed`, `canceled`, or `input-required` while it waits for a person. */
  readonly state: string;
  /** Null while it waits. */
  readonly success: boolean | null;
  /** The model that answered last; blank if none did. */
  readonly model: string;
  readonly models: readonly TurnModel[];
  /** Tokens; `input` includes the cached ones. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** US dollars, estimated; null where a price is not known, which is not the same as nothing. */
  readonly costUsd: number | null;
  /** Milliseconds, parked time left out. */
  readonly durationMs: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Milliseconds of each call, by tool. */
  readonly toolDurations: { readonly [tool: string]: readonly number[] };
  /** Tokens of the largest request. */
  readonly contextTokens: number;
  readonly createdAt: number;
  readonly endedAt: number;
  /** Names the version of the persona. */
  readonly persona: string | null;
  /** The trace it belongs to, 32 hex digits. */
  readonly trace: string | null;
}

/** True when one of the events ended the turn or parked it. */
export function settles(events: readonly CommittedEvent[]): boolean {
  switch (events.at(-1)?.event.kind) {
    case "task.completed":
    case "task.failed":
    case "task.canceled":
    case "task.parked":
      return true;
    default:
      return false;
  }
}

/** Tool calls whose durations a row keeps. */
const MAX_DURATIONS = 500;

function durationsOf(view: Readonly<TaskView>): { readonly [tool: string]: readonly number[] } {
  const byTool: { [tool: string]: number[] } = Object.create(null);
  for (const { name, ms } of view.toolCalls.slice(-MAX_DURATIONS)) {
    byTool[name] ??= [];
    byTool[name].push(ms);
  }
  return byTool;
}

/** The id of a task's trace, by its own id and its caller's `traceparent`; null: it has none. */
export type TraceIdOf = (task: string, parent: string | undefined) => string | null;

/** The row of a turn that ended or parked; undefined for one that runs, and for a part of another. `persona`: the version that led it. */
export function turnRow(
  view: Readonly<TaskView>,
  { persona, trace }: { readonly persona: string | null; readonly trace: TraceIdOf },
): TurnRow | undefined {
  const ended = isTerminalState(view.state);
  if (!ended && view.state !== "parked") return undefined;
  // What a call delegated is in the account of its turn, and no turn of its own (A11).
  if (view.parent !== undefined && view.origin === "subagent") return undefined;
  const { usage, models } = view;
  return {
    task: view.id,
    seq: view.seq,
    class: view.class,
    context: view.context,
    origin: view.origin,
    state: ended ? view.state : "input-required",
    success: ended ? view.state === "completed" : null,
    model: models.at(-1)?.model ?? "",
    models: models.map(({ model, calls, usage: { input, output }, costUsd }) => ({
      model,
      calls,
      input,
      output,
      // A model none of whose calls reported its tokens: their cost is not known.
      cost_usd: input + output === 0 ? null : costUsd,
    })),
    input: usage.input,
    output: usage.output,
    cacheRead: usage.cacheRead,
    cacheWrite: usage.cacheWrite,
    costUsd: (ended ? view.costUsd : taskCost(models)) ?? null,
    durationMs: view.durationMs ?? Math.max(0, view.statusAt - view.createdAt - view.parkedMs),
    modelCalls: models.reduce((sum, { calls }) => sum + calls, 0),
    toolCalls: view.toolCalls.length,
    toolDurations: durationsOf(view),
    contextTokens: view.contextTokens,
    createdAt: view.createdAt,
    endedAt: view.statusAt,
    persona,
    trace: trace(view.id, view.trace),
  };
}
