import { heldFile, type ShownFile } from "../../../message-files/index.ts";
import { type WorkState, workState } from "../../../ui/index.ts";
import { isOver, type LiveTurn, type Step, type ThoughtStep, type ToolStep } from "../live/live-turn.ts";
import type { StoredTurn } from "../live/turn-history.ts";

/** A row of the transcript: a turn that is stored, live, or both. */
export interface TurnRow {
  /** Stays the same from sending on, also once the turn is stored, so that its row keeps its state. */
  readonly key: string;
  /** Id of its task; undefined until the service has accepted it. */
  readonly task: string | undefined;
  readonly stored?: StoredTurn;
  /** Key of the live turn. */
  readonly live?: string;
}

/** Returns the rows of a conversation, oldest first. A live turn older than the newest stored one is left out: it was removed. */
export function rowsOf(stored: readonly StoredTurn[], live: readonly LiveTurn[]): readonly TurnRow[] {
  const liveByTask = new Map(live.flatMap(({ taskId, key }) => (taskId === undefined ? [] : [[taskId, key]])));
  const rows = stored.map((turn): TurnRow => {
    const { task_id: task } = turn;
    const key = liveByTask.get(task);
    liveByTask.delete(task);
    return key === undefined ? { key: task, task, stored: turn } : { key, task, stored: turn, live: key };
  });
  const newest = stored.at(-1)?.task_id ?? "";
  const others = live.filter(({ taskId }) => taskId === undefined || (liveByTask.has(taskId) && taskId > newest));
  return [...rows, ...others.map(({ key, taskId }) => ({ key, task: taskId, live: key }))];
}

/** The day of each row that begins one, by the row's key: that of the rows after it, up to the next. Rows run oldest first. */
export function firstOfDays(
  rows: readonly TurnRow[],
  startOf: (liveKey: string) => number | undefined,
): ReadonlyMap<string, Date> {
  const found = new Map<string, Date>();
  let before = "";
  for (const { key, stored, live } of rows) {
    const at = stored === undefined ? live && startOf(live) : Date.parse(stored.created_at);
    if (at === undefined) continue;
    const day = new Date(at);
    if (day.toDateString() !== before) found.set(key, day);
    before = day.toDateString();
  }
  return found;
}

/** A message to the agent, or a question of it that a person answered. `at` is ISO-8601. */
export interface TurnMessage {
  readonly role: "user" | "agent";
  readonly text: string;
  readonly files: readonly ShownFile[];
  readonly at: string;
}

const SENDERS: Readonly<Record<string, string>> = {
  ...{ background: "A background job", inbox: "The inbox", schedule: "A schedule", watch: "A watch", goal: "A goal" },
  board: "The board",
};

/** Label of the sender of a turn's first message. Some origins start turns without a person. */
export function senderOf(origin: string | undefined): string {
  return (origin === undefined ? undefined : SENDERS[origin]) ?? "You";
}

/** A turn as it is rendered. */
export interface TurnView {
  readonly taskId: string | undefined;
  readonly messages: readonly TurnMessage[];
  readonly state: WorkState;
  readonly startedAt: number;
  /** Input and output tokens of the model calls that ended. */
  readonly tokens: number | undefined;
  readonly open: boolean;
  readonly reconnecting: boolean;
  readonly steps: readonly Step[];
  readonly text: string;
  readonly artifacts: readonly unknown[];
  readonly note: string | undefined;
  readonly failure: LiveTurn["failure"];
  /** As stored, with its figures; undefined until it is. */
  readonly stored: StoredTurn | undefined;
}

/**
 * Merges a stored and a live turn: the stored one wins once it has ended, the live one while it runs. `session`: in which
 * the files of the stored one are.
 */
export function viewOf(
  session: string,
  stored: StoredTurn | undefined,
  live: LiveTurn | undefined,
): TurnView | undefined {
  if (stored === undefined) return live === undefined ? undefined : liveView(live, undefined, []);
  const state = workState(stored.state);
  const messages = messagesOf(session, stored, live);
  if (live !== undefined && !isOver(state)) return liveView(live, stored, messages);
  return {
    taskId: stored.task_id,
    messages,
    state,
    startedAt: Date.parse(stored.created_at),
    // 0 means that no call reported any.
    tokens: stored.usage?.total_tokens || live?.usage?.tokens || undefined,
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

function liveView(live: LiveTurn, stored: StoredTurn | undefined, before: readonly TurnMessage[]): TurnView {
  const { taskId, files, state, startedAt, open, reconnecting, steps, text, components, note, failure } = live;
  const sent: TurnMessage = {
    role: "user",
    text: live.sentText,
    files: files.map(heldFile),
    at: new Date(startedAt).toISOString(),
  };
  const own = live.sentText === "" && files.length === 0 ? [] : [sent];
  const messages = before.length > 0 ? before : own;
  return {
    ...{ taskId, messages, state, startedAt, open, reconnecting, steps, text, note, failure, stored },
    artifacts: components,
    tokens: live.usage?.tokens ?? stored?.usage?.total_tokens,
  };
}

function messagesOf(
  session: string,
  { history, task_id: task }: StoredTurn,
  live: LiveTurn | undefined,
): readonly TurnMessage[] {
  return history.map((message, no) => ({
    ...message,
    files: message.files.map(({ name, media_type: mediaType, id, size }, index) => {
      // What this page sent it need not read back.
      const own = no === 0 && live?.files.length === message.files.length ? live.files[index] : undefined;
      if (own !== undefined) return heldFile(own);
      const content = id === null ? ({ kind: "gone" } as const) : ({ kind: "stored", session, task, id } as const);
      return { name: name ?? "a file without a name", mediaType, size: size ?? undefined, content };
    }),
  }));
}

function stepsOf(stored: StoredTurn): readonly Step[] {
  const calls = callsOf(stored);
  const before = stored.thoughts.map(({ calls_before }) => calls_before);
  const thoughts = thoughtsOf(stored);
  const thoughtsBefore = (call: number): readonly Step[] => thoughts.filter((_, index) => before[index] === call);
  return [
    ...calls.flatMap((call, index) => [...thoughtsBefore(index), call]),
    ...thoughts.filter((_, index) => (before[index] ?? 0) >= calls.length),
  ];
}

function thoughtsOf({ thoughts, task_id }: StoredTurn): readonly ThoughtStep[] {
  return thoughts.map(({ text, truncated, started_at, ended_at }, index) => ({
    kind: "thought",
    id: `${task_id}-thought-${index}`,
    text,
    startedAt: Date.parse(started_at),
    endedAt: Date.parse(ended_at),
    truncated,
  }));
}

function callsOf({ tool_calls }: StoredTurn): readonly ToolStep[] {
  return tool_calls.map(({ call_id, name, args, title, outcome, duration_ms, approval_skipped: skipped }) => ({
    kind: "tool",
    id: call_id,
    name,
    outcome: outcome === "ok" ? "ok" : "failed",
    ms: duration_ms,
    ...(args !== null && { args }),
    ...(title !== null && { title }),
    ...(skipped !== null && { skipped }),
  }));
}

/** The live steps with the stored outcomes and durations; where the calls differ, the stored steps. */
function withTimes(steps: readonly Step[], stored: StoredTurn): readonly Step[] {
  const calls = steps.filter((step) => step.kind === "tool");
  const known = new Map(callsOf(stored).map((call) => [call.id, call]));
  if (calls.length !== known.size || calls.some(({ id }) => !known.has(id))) return stepsOf(stored);
  return steps.map((step) => (step.kind === "tool" ? { ...step, ...known.get(step.id) } : step));
}
