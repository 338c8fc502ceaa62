import type { AgentEvent } from "@agent-service/a2a-protocol/client";
import type { Failure, WorkState } from "../../../ui/index.ts";
import type { OutgoingFile } from "./outgoing-message.ts";

/** A stretch of the model's reasoning. Times are epoch milliseconds; `endedAt` is undefined while it continues. */
export interface ThoughtStep {
  readonly kind: "thought";
  readonly id: string;
  readonly text: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** `text` is only the beginning of it. */
  readonly truncated?: boolean;
}

/** `rule`: the entry of the settings, where one allows the call. */
export interface SkippedApproval {
  readonly by: string;
  readonly rule: string | null;
}

/** A tool call. Of its arguments and its result, the stream carries the first 800 characters. */
export interface ToolStep {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  readonly outcome: "running" | "ok" | "failed";
  readonly args?: string;
  readonly result?: string;
  /** What people read of it, in the tool's words. */
  readonly title?: string;
  readonly startedAt?: number;
  /** Duration in milliseconds. */
  readonly ms?: number;
  /** Id of the call that made this one. */
  readonly parent?: string;
  /** Why no person was asked who would have been (F12). */
  readonly skipped?: SkippedApproval;
}

export type Step = ThoughtStep | ToolStep;

/** Usage of a turn so far: of its model calls that have ended. */
export interface TurnUsage {
  /** Model of the last call. */
  readonly model: string;
  /** Input and output tokens of all calls. */
  readonly tokens: number;
  /** Input tokens of the last call; undefined where its server reported none. */
  readonly context: number | undefined;
}

/** A turn as this page knows it from its stream. */
export interface LiveTurn {
  /** Identifies it on this page, also before the agent has accepted it. */
  readonly key: string;
  readonly session: string;
  /** Undefined until the agent has accepted it. */
  readonly taskId?: string;
  /** The text this page sent; empty for a turn that was joined. */
  readonly sentText: string;
  /** The files this page sent with it. */
  readonly files: readonly OutgoingFile[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly state: WorkState;
  /** Its stream is being followed, connected or not. */
  readonly open: boolean;
  /** The connection broke and is being resumed. */
  readonly reconnecting: boolean;
  readonly steps: readonly Step[];
  /** The answer so far. */
  readonly text: string;
  /** Data of the components the agent showed, unchecked. */
  readonly components: readonly unknown[];
  /** Text of the final status: why the turn failed, or which limit ended it. */
  readonly note?: string;
  /** Why the message could not be sent, or the stream not be followed. */
  readonly failure?: Failure;
  /** Undefined before its first model call ended. */
  readonly usage?: TurnUsage;
  /** Number of the last event, from which a broken stream is resumed. */
  readonly seq?: number;
}

const ANSWER = "answer";
const REASONING = /\.reasoning-v1\+json$/;
const COMPONENT = /\.component-v1\+json$/;

export function isOver(state: WorkState): boolean {
  return state === "completed" || state === "failed" || state === "canceled";
}

/** Returns the turn after one more event, received at `now` (epoch milliseconds). */
export function foldEvent(turn: LiveTurn, event: AgentEvent, now: number): LiveTurn {
  const next = event.seq === undefined ? turn : { ...turn, seq: event.seq };
  switch (event.kind) {
    case "task":
      return { ...next, taskId: event.task.id, state: isOver(turn.state) ? turn.state : "working" };
    case "text":
      if (event.artifactId !== ANSWER) return next;
      return { ...next, text: next.text + event.delta, steps: thoughtEnded(next.steps, now) };
    case "text-reset":
      return event.artifactId === ANSWER ? { ...next, text: "" } : next;
    case "artifact":
      return { ...next, components: [...next.components, ...componentsIn(event.artifact.parts)] };
    case "tool":
      return { ...next, steps: withCall(thoughtEnded(next.steps, now), event, now) };
    case "status":
      return withStatus(next, event, now);
    case "input-required":
      return { ...next, state: "waiting", steps: thoughtEnded(next.steps, now) };
    case "message":
      return { ...next, text: event.text, state: "completed" };
  }
}

type StatusEvent = Extract<AgentEvent, { readonly kind: "status" }>;
type ToolEvent = Extract<AgentEvent, { readonly kind: "tool" }>;
type Parts = Extract<AgentEvent, { readonly kind: "artifact" }>["artifact"]["parts"];

function withStatus(turn: LiveTurn, { state, text, message, final }: StatusEvent, now: number): LiveTurn {
  const thought = message === undefined ? "" : thoughtIn(message.parts);
  if (thought !== "") return { ...turn, state: "working", steps: withThought(turn.steps, thought, now) };
  if (!final) return { ...turn, state: "working" };
  const ended = endOf(state);
  return { ...turn, state: ended, steps: thoughtEnded(turn.steps, now), ...(text !== "" && { note: text }) };
}

function endOf(state: StatusEvent["state"]): WorkState {
  if (state === "TASK_STATE_COMPLETED") return "completed";
  return state === "TASK_STATE_CANCELED" ? "canceled" : "failed";
}

function thoughtIn(parts: Parts): string {
  return parts
    .map((part) => ("data" in part && REASONING.test(part.mediaType ?? "") ? textOf(part.data) : ""))
    .join("");
}

function textOf(data: unknown): string {
  return typeof data === "object" && data !== null && "text" in data && typeof data.text === "string" ? data.text : "";
}

function componentsIn(parts: Parts): readonly unknown[] {
  return parts.flatMap((part) => ("data" in part && COMPONENT.test(part.mediaType ?? "") ? [part.data] : []));
}

function withThought(steps: readonly Step[], text: string, now: number): readonly Step[] {
  const last = steps.at(-1);
  if (last?.kind === "thought" && last.endedAt === undefined) {
    return [...steps.slice(0, -1), { ...last, text: last.text + text }];
  }
  return [...steps, { kind: "thought", id: `thought-${steps.length}`, text, startedAt: now }];
}

function thoughtEnded(steps: readonly Step[], now: number): readonly Step[] {
  const last = steps.at(-1);
  if (last?.kind !== "thought" || last.endedAt !== undefined) return steps;
  return [...steps.slice(0, -1), { ...last, endedAt: now }];
}

function withCall(steps: readonly Step[], event: ToolEvent, now: number): readonly Step[] {
  const { toolCallId: id, name, phase, args, result, title, parentToolCallId: parent } = event;
  const { approvalSkipped: by, rule = null } = event;
  const before = steps.find((step): step is ToolStep => step.kind === "tool" && step.id === id);
  const call: ToolStep = {
    ...(before ?? { kind: "tool", id, startedAt: now }),
    name,
    outcome: phase === "started" ? "running" : phase === "completed" ? "ok" : "failed",
    ...(args !== undefined && { args }),
    ...(result !== undefined && { result }),
    ...(title !== undefined && { title }),
    ...(parent !== undefined && { parent }),
    ...(by !== undefined && { skipped: { by, rule } }),
    ...(phase !== "started" && durationOf(event, before, now)),
  };
  return before === undefined ? [...steps, call] : steps.map((step) => (step === before ? call : step));
}

/** The agent's own time of a call; of one that sends none, the time between its two events. */
function durationOf({ durationMs }: ToolEvent, before: ToolStep | undefined, now: number): { readonly ms?: number } {
  if (durationMs !== undefined) return { ms: durationMs };
  return before?.startedAt === undefined ? {} : { ms: now - before.startedAt };
}
