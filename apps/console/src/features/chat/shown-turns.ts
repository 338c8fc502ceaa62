import { type WorkState, workState } from "../../ui/index.ts";
import { isOver, type LiveTurn, type Step, type ThoughtStep, type ToolStep } from "./live-turn.ts";
import type { StoredTurn } from "./turn-history.ts";

/** A row of the conversation: a turn as stored, as heard, or both. */
export interface TurnRow {
  /** The same from the sending on, so that a row stays the row it was. */
  readonly key: string;
  /** Undefined until the service has accepted it. */
  readonly task: string | undefined;
  readonly stored?: StoredTurn;
  /** Of the live turn. */
  readonly live?: string;
}

/** The rows of a conversation, oldest first. */
export function rowsOf(stored: readonly StoredTurn[], live: readonly LiveTurn[]): readonly TurnRow[] {
  const heard = new Map(live.flatMap(({ taskId, key }) => (taskId === undefined ? [] : [[taskId, key]])));
  const rows = stored.map((turn): TurnRow => {
    const { task_id: task } = turn;
    const key = heard.get(task);
    heard.delete(task);
    return key === undefined ? { key: task, task, stored: turn } : { key, task, stored: turn, live: key };
  });
  const newest = stored.at(-1)?.task_id ?? "";
  const others = live.filter(({ taskId }) => taskId === undefined || (heard.has(taskId) && taskId > newest));
  return [...rows, ...others.map(({ key, taskId }) => ({ key, task: taskId, live: key }))];
}

/** Something that was said, by whom; `at` is ISO-8601. */
export interface Said {
  readonly role: "user" | "agent";
  readonly text: string;
  /** Names of what went along. */
  readonly files: readonly string[];
  readonly at: string;
}

const SPEAKERS: Readonly<Record<string, string>> = {
  ...{ background: "A background job", inbox: "The inbox", schedule: "A schedule", watch: "A watch", goal: "A goal" },
};

/** Who said what began a turn of an origin: what starts turns by itself is no person. */
export function speakerOf(origin: string | undefined): string {
  return (origin === undefined ? undefined : SPEAKERS[origin]) ?? "You";
}

/** A turn as it is shown. */
export interface TurnView {
  readonly taskId: string | undefined;
  readonly said: readonly Said[];
  readonly state: WorkState;
  readonly startedAt: number;
  /** In and out, of the model calls that ended. */
  readonly tokens: number | undefined;
  readonly open: boolean;
  readonly reconnecting: boolean;
  readonly steps: readonly Step[];
  readonly text: string;
  readonly artifacts: readonly unknown[];
  readonly note: string | undefined;
  readonly failure: LiveTurn["failure"];
  /** As the service keeps it, with its figures; undefined until it does. */
  readonly stored: StoredTurn | undefined;
}

/** Puts together what is stored and what is heard: what ended is told by the store, what goes on by the stream. */
export function viewOf(stored: StoredTurn | undefined, live: LiveTurn | undefined): TurnView | undefined {
  if (stored === undefined) return live === undefined ? undefined : liveView(live, undefined);
  const state = workState(stored.state);
  if (live !== undefined && !isOver(state)) return liveView(live, stored);
  return {
    taskId: stored.task_id,
    said: saidIn(stored),
    state,
    startedAt: Date.parse(stored.created_at),
    // None: no call said how many.
    tokens: stored.usage?.total_tokens || live?.used?.tokens || undefined,
    open: false,
    reconnecting: false,
    steps: live !== undefined && live.steps.length > 0 ? withTimes(live.steps, stored) : stepsOf(stored),
    text: stored.text,
    artifacts: stored.artifacts.map((artifact) => (artifact.kind === "component" ? artifact.component : artifact.data)),
    note: stored.status ?? undefined,
    failure: undefined,
    stored,
  };
}

function liveView(live: LiveTurn, stored: StoredTurn | undefined): TurnView {
  const { taskId, files, state, startedAt, open, reconnecting, steps, text, components, note, failure } = live;
  const mine: Said = { role: "user", text: live.said, files, at: new Date(startedAt).toISOString() };
  const heard = live.said === "" && files.length === 0 ? [] : [mine];
  const said = stored !== undefined && stored.history.length > 0 ? saidIn(stored) : heard;
  return {
    ...{ taskId, said, state, startedAt, open, reconnecting, steps, text, note, failure, stored },
    artifacts: components,
    tokens: live.used?.tokens ?? stored?.usage?.total_tokens,
  };
}

function saidIn({ history }: StoredTurn): readonly Said[] {
  return history.map((one) => ({ ...one, files: one.files.map(({ name, media_type }) => name ?? media_type) }));
}

function stepsOf(stored: StoredTurn): readonly Step[] {
  const calls = callsOf(stored);
  const before = stored.thoughts.map(({ calls_before }) => calls_before);
  const thoughts = thoughtsOf(stored);
  const thoughtBefore = (place: number): readonly Step[] => thoughts.filter((_, at) => before[at] === place);
  return [
    ...calls.flatMap((call, place) => [...thoughtBefore(place), call]),
    ...thoughts.filter((_, at) => (before[at] ?? 0) >= calls.length),
  ];
}

function thoughtsOf({ thoughts, task_id }: StoredTurn): readonly ThoughtStep[] {
  return thoughts.map(({ text, truncated, started_at, ended_at }, place) => ({
    kind: "thought",
    id: `${task_id}-thought-${place}`,
    text,
    startedAt: Date.parse(started_at),
    endedAt: Date.parse(ended_at),
    truncated,
  }));
}

function callsOf({ tool_calls, task_id }: StoredTurn): readonly ToolStep[] {
  return tool_calls.map(({ name, outcome, duration_ms }, place) => ({
    kind: "tool",
    id: `${task_id}-${place}`,
    name,
    outcome: outcome === "ok" ? "ok" : "failed",
    ms: duration_ms,
  }));
}

/** What was heard, with the outcomes and times the service has; where the calls differ, the service's own. */
function withTimes(steps: readonly Step[], stored: StoredTurn): readonly Step[] {
  const calls = steps.filter((step) => step.kind === "tool");
  const known = callsOf(stored);
  const same = calls.length === known.length && calls.every(({ name }, place) => known[place]?.name === name);
  if (!same) return stepsOf(stored);
  return steps.map((step) => {
    const kept = step.kind === "tool" ? known[calls.indexOf(step)] : undefined;
    return kept === undefined || step.kind !== "tool" ? step : { ...step, outcome: kept.outcome, ms: kept.ms ?? 0 };
  });
}
