import type { AgentEvent } from "@agent-service/a2a-protocol/client";
import type { Failure, WorkState } from "../../ui/index.ts";

/** A piece of the model's thinking. Times are epoch milliseconds; `endedAt` is undefined while it goes on. */
export interface ThoughtStep {
  readonly kind: "thought";
  readonly id: string;
  readonly text: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** It is longer than what is told. */
  readonly truncated?: boolean;
}

/** A tool call, with as much of its arguments and result as the stream tells (800 characters). */
export interface ToolStep {
  readonly kind: "tool";
  readonly id: string;
  readonly name: string;
  readonly outcome: "running" | "ok" | "failed";
  readonly args?: string;
  readonly result?: string;
  readonly startedAt?: number;
  /** Milliseconds it took. */
  readonly ms?: number;
  /** The call it was made inside of. */
  readonly parent?: string;
}

/** What the agent does on the way to its answer. */
export type Step = ThoughtStep | ToolStep;

/** What the model calls of a turn took that ended so far. */
export interface UsedSoFar {
  /** Of the last call. */
  readonly model: string;
  /** In and out. */
  readonly tokens: number;
  /** Tokens that the last call was given; undefined: its server did not tell. */
  readonly context: number | undefined;
}

/** A turn as this page hears of it while it happens. */
export interface LiveTurn {
  /** Names it on this page, also before the agent has accepted it. */
  readonly key: string;
  readonly session: string;
  /** Undefined until the agent has accepted it. */
  readonly taskId?: string;
  /** What was said by this page; empty for a turn that was joined. */
  readonly said: string;
  /** Names of the files that went along. */
  readonly files: readonly string[];
  readonly startedAt: number;
  readonly state: WorkState;
  /** It is heard of at the moment. */
  readonly open: boolean;
  /** The connection broke and is being picked up. */
  readonly reconnecting: boolean;
  readonly steps: readonly Step[];
  /** The answer so far. */
  readonly text: string;
  /** Components that were shown, as the stream has them. */
  readonly components: readonly unknown[];
  /** What the end says: why it failed, which limit cut it. */
  readonly note?: string;
  /** Why it could not be sent or followed. */
  readonly failure?: Failure;
  /** Undefined before its first model call ended. */
  readonly used?: UsedSoFar;
  /** The last event, for picking up behind it. */
  readonly seq?: number;
}

const ANSWER = "answer";
const REASONING = /\.reasoning-v1\+json$/;
const COMPONENT = /\.component-v1\+json$/;

/** Whether a turn is over. */
export function isOver(state: WorkState): boolean {
  return state === "completed" || state === "failed" || state === "canceled";
}

/** The turn after one more event, heard at `now` (epoch milliseconds). */
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
  const { toolCallId: id, name, phase, args, result, parentToolCallId: parent } = event;
  const before = steps.find((step): step is ToolStep => step.kind === "tool" && step.id === id);
  const call: ToolStep = {
    ...(before ?? { kind: "tool", id, startedAt: now }),
    name,
    outcome: phase === "started" ? "running" : phase === "completed" ? "ok" : "failed",
    ...(args !== undefined && { args }),
    ...(result !== undefined && { result }),
    ...(parent !== undefined && { parent }),
    ...(phase !== "started" && before?.startedAt !== undefined && { ms: now - before.startedAt }),
  };
  return before === undefined ? [...steps, call] : steps.map((step) => (step === before ? call : step));
}
