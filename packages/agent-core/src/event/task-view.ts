/**
 * The state of a task after a number of its events: a fold, so that every surface shows a task as read from the journal
 * (R2), and as of any earlier event (A20).
 */
import type { ComponentOutput } from "@agent-service/plugin-sdk";
import type { PendingPrompt } from "./prompt.ts";
import { roundDollars } from "./task-cost.ts";
import {
  type AnswerPart,
  type CommittedEvent,
  type DelegationFinished,
  type InputMessage,
  isTerminalState,
  type ModelAccount,
  type TaskEvent,
  type TaskFailure,
  type TaskOrigin,
  type TaskParent,
  type TaskProvenance,
  type TaskState,
  type TaskTotals,
  type TaskUsage,
  type ToolAccount,
} from "./task-event.ts";

/** A message of the task's own history: what was sent to it and what it asked. */
export type HistoryEntry =
  | { readonly from: "caller"; readonly message: InputMessage }
  | { readonly from: "agent"; readonly prompt: PendingPrompt; readonly at: number };

/** A component the agent showed. */
export interface ShownComponent {
  readonly call: string;
  readonly component: ComponentOutput;
}

/** An account while it grows. */
type GrowingAccount = { -readonly [key in keyof ModelAccount]: ModelAccount[key] };

/** The folded state. Mutated only by `applyEvent`, through its owner; readers treat it as read-only. */
export interface TaskView {
  readonly id: string;
  class: string;
  context: string;
  origin: TaskOrigin;
  /** The caller's `traceparent`, where it sent one. */
  trace: string | undefined;
  /** The call it was started by, where one did. */
  parent: TaskParent | undefined;
  /** The role it runs in; undefined: it leads. */
  role: string | undefined;
  /** Why it started, where no message of its conversation asked for it. */
  provenance: TaskProvenance | undefined;
  state: TaskState;
  /** Number of the last event folded in. */
  seq: number;
  /** Epoch milliseconds. */
  createdAt: number;
  /** When `state` or its message last changed. Epoch milliseconds. */
  statusAt: number;
  /** Text streamed so far that may still be the answer. */
  text: string;
  answer: readonly AnswerPart[] | undefined;
  components: ShownComponent[];
  history: HistoryEntry[];
  /** Prompts that wait, the shown one first; empty unless parked. */
  prompts: readonly PendingPrompt[];
  /** Why the last reply to the shown prompt was not accepted. */
  rejection: string | undefined;
  failure: TaskFailure | undefined;
  /** A note of a guard or limit on how it ended. */
  note: string | undefined;
  usage: TaskUsage;
  /** One entry per model that was asked, in the order of their first answers; delegations are in it. */
  models: GrowingAccount[];
  /** Tasks whose account is in `usage` and `models` already; undefined: there are none. */
  billed: string[] | undefined;
  /** Tool calls that ended, in order. */
  toolCalls: ToolAccount[];
  /** Tokens of the largest request so far. */
  contextTokens: number;
  /** Model calls started so far. */
  steps: number;
  /** Why the last model call stopped; undefined until one has. */
  finish: string | undefined;
  /** The model call that has no outcome yet. */
  modelCall: { readonly call: string; readonly step: number; readonly model: string; readonly at: number } | undefined;
  /** Present once terminal. Milliseconds. */
  durationMs: number | undefined;
  /** Present once terminal, where it is known. US dollars, estimated. */
  costUsd: number | undefined;
  /** Parked time so far, milliseconds. */
  parkedMs: number;
}

export const NO_USAGE: TaskUsage = Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });

export function addUsage(a: TaskUsage, b: TaskUsage | undefined): TaskUsage {
  if (b === undefined) return a;
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}

/** The view before any event. */
export function emptyView(id: string): TaskView {
  return {
    id,
    class: "",
    context: "",
    origin: "embed",
    trace: undefined,
    parent: undefined,
    role: undefined,
    provenance: undefined,
    state: "queued",
    seq: 0,
    createdAt: 0,
    statusAt: 0,
    text: "",
    answer: undefined,
    components: [],
    history: [],
    prompts: [],
    rejection: undefined,
    failure: undefined,
    note: undefined,
    usage: NO_USAGE,
    models: [],
    billed: undefined,
    toolCalls: [],
    contextTokens: 0,
    steps: 0,
    finish: undefined,
    modelCall: undefined,
    durationMs: undefined,
    costUsd: undefined,
    parkedMs: 0,
  };
}

function moveTo(view: TaskView, state: TaskState, at: number): void {
  if (view.state === "parked") view.parkedMs += Math.max(0, at - view.statusAt);
  view.state = state;
  view.statusAt = at;
}

type ModelEnded = Extract<TaskEvent, { readonly kind: "model.finished" | "model.failed" }>;

function accountOf(view: TaskView, model: string): GrowingAccount {
  let entry = view.models.find((known) => known.model === model);
  if (entry === undefined) {
    entry = { model, calls: 0, usage: NO_USAGE, costUsd: 0 };
    view.models.push(entry);
  }
  return entry;
}

/** What a task that was delegated to used. */
export function delegatedUsage({ models }: DelegationFinished): TaskUsage {
  return models.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
}

/** Billed to the task that delegated, and left out of what its own largest request was. */
function bill(view: TaskView, event: DelegationFinished): void {
  view.usage = addUsage(view.usage, delegatedUsage(event));
  for (const { model, calls, usage, costUsd } of event.models) {
    const entry = accountOf(view, model);
    entry.calls += calls;
    entry.usage = addUsage(entry.usage, usage);
    entry.costUsd = entry.costUsd === null || costUsd === null ? null : roundDollars(entry.costUsd + costUsd);
  }
  view.billed ??= [];
  view.billed.push(event.task);
}

function account(view: TaskView, { model, usage, costUsd }: ModelEnded): void {
  view.usage = addUsage(view.usage, usage);
  if (usage !== undefined && usage.input > view.contextTokens) view.contextTokens = usage.input;
  const entry = accountOf(view, model);
  entry.calls++;
  entry.usage = addUsage(entry.usage, usage);
  if (usage !== undefined)
    entry.costUsd = costUsd === undefined || entry.costUsd === null ? null : roundDollars(entry.costUsd + costUsd);
}

/** Restores the totals of removed steps. */
function restoreAccount(view: TaskView, event: Extract<TaskEvent, { readonly kind: "detail.removed" }>): void {
  view.steps = event.steps;
  view.models = event.models.map((account) => ({ ...account }));
  view.contextTokens = event.contextTokens;
  view.toolCalls = [...event.toolCalls];
}

function accept(view: TaskView, event: Extract<TaskEvent, { readonly kind: "task.accepted" }>, at: number): void {
  view.class = event.class;
  view.context = event.context;
  view.origin = event.origin;
  view.trace = event.trace;
  view.parent = event.parent;
  view.role = event.role;
  view.provenance = event.provenance;
  view.createdAt = at;
  view.history.push({ from: "caller", message: event.input });
  moveTo(view, event.state, at);
}

function end(view: TaskView, state: TaskState, at: number, totals: TaskTotals): void {
  moveTo(view, state, at);
  view.prompts = [];
  view.rejection = undefined;
  view.modelCall = undefined;
  view.usage = totals.usage;
  view.durationMs = totals.durationMs;
  view.costUsd = totals.costUsd;
}

/**
 * Folds the next event in. Events must come in order; numbers already folded are ignored, and nothing changes a view
 * whose state is terminal (EN3).
 */
export function applyEvent(view: TaskView, { seq, at, event }: CommittedEvent): void {
  if (seq <= view.seq) return;
  view.seq = seq;
  if (isTerminalState(view.state)) return;
  switch (event.kind) {
    case "task.accepted":
      accept(view, event, at);
      return;
    case "task.started":
    case "task.resumed":
      moveTo(view, "running", at);
      return;
    case "model.started":
      view.steps = Math.max(view.steps, event.step);
      view.modelCall = { call: event.call, step: event.step, model: event.model, at };
      return;
    case "model.finished":
    case "model.failed":
      if (event.kind === "model.finished") view.finish = event.finish;
      view.modelCall = undefined;
      account(view, event);
      return;
    case "tool.finished":
      view.toolCalls.push({ name: event.name, ms: event.ms });
      return;
    case "text.delta":
      view.text += event.text;
      return;
    case "text.reset":
      view.text = "";
      return;
    case "delegation.finished":
      bill(view, event);
      return;
    case "component.shown":
      view.components.push({ call: event.call, component: event.component });
      return;
    case "input.consumed":
      for (const message of event.inputs) view.history.push({ from: "caller", message });
      return;
    case "task.parked": {
      moveTo(view, "parked", at);
      view.prompts = event.prompts;
      view.rejection = undefined;
      const shown = event.prompts[0];
      if (shown !== undefined) view.history.push({ from: "agent", prompt: shown, at });
      return;
    }
    case "prompt.rejected":
      view.rejection = event.reason;
      view.prompts = [event.prompt, ...view.prompts.filter((prompt) => prompt.promptId !== event.prompt.promptId)];
      return;
    case "prompt.answered":
      view.history.push({ from: "caller", message: event.answer });
      view.prompts = view.prompts.filter((prompt) => prompt.promptId !== event.promptId);
      view.rejection = undefined;
      moveTo(view, event.state, at);
      return;
    case "detail.removed":
      restoreAccount(view, event);
      return;
    case "answer":
      view.answer = event.parts;
      view.text = "";
      return;
    case "task.completed":
      view.note = event.note;
      end(view, "completed", at, event);
      return;
    case "task.failed":
      view.failure = event.failure;
      end(view, "failed", at, event);
      return;
    case "task.canceled":
      end(view, "canceled", at, event);
      return;
    default:
      return;
  }
}

/** The view after `events`, which must start at number 1. */
export function foldEvents(id: string, events: Iterable<CommittedEvent>): TaskView {
  const view = emptyView(id);
  for (const event of events) applyEvent(view, event);
  return view;
}
