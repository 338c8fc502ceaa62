/** Reads what a model call streams: text, reasoning, tool calls, usage. */
import { storableText } from "../../database/index.ts";
import type { TaskOrigin, TaskUsage, TaskView } from "../../event/index.ts";
import {
  ModelError,
  type ModelPriority,
  type ModelRequest,
  type ModelToolCall,
  type ModelUsage,
} from "../../model/index.ts";
import { partyOf } from "../../share/index.ts";
import type { ChosenModel, TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";
import type { DeltaBuffer } from "./delta-buffer.ts";
import { modelFailure } from "./model-failure.ts";
import { modelCallId } from "./model-intent.ts";
import type { StopText } from "./stop-text.ts";

/** Priority among the calls of a model lane: origins whose caller waits come first, those whose result is read later last. */
const PRIORITY: Readonly<Record<TaskOrigin, ModelPriority>> = {
  a2a: "interactive",
  chat: "interactive",
  v1: "interactive",
  embed: "interactive",
  board: "interactive",
  operator: "interactive",
  schedule: "default",
  watch: "default",
  inbox: "default",
  goal: "default",
  subagent: "default",
  background: "bulk",
  auxiliary: "bulk",
};

/** The callers of a peer's turn wait too, but behind the operator's (docs/decisions/shares-per-class.md). */
function priorityOf({ origin, class: callerClass }: Readonly<TaskView>): ModelPriority {
  const priority = PRIORITY[origin];
  return priority === "interactive" && partyOf(callerClass) === "peers" ? "default" : priority;
}

function asUsage(usage: ModelUsage): TaskUsage {
  return { input: usage.input, output: usage.output, cacheRead: usage.cacheRead, cacheWrite: usage.cacheWrite };
}

/** Longest tool name a model's call keeps; a tool's own has at most 64 characters. */
const MAX_NAME = 128;

/**
 * A call under an id of ours: providers reuse theirs between conversations, and ours becomes the idempotency key. What
 * a store cannot hold is replaced, so that the model gets an error about the call instead of the turn failing.
 */
function withOwnId({ name, args }: ModelToolCall, newId: () => string): ModelToolCall {
  const id = `call_${newId().replaceAll("-", "")}`;
  return { id, name: storableText(name.slice(0, MAX_NAME)), args: storableText(args) };
}

/** What a model call has returned so far. */
export interface Reply {
  text: string;
  calls: ModelToolCall[];
  usage: TaskUsage | undefined;
  finish: string;
  /** More text came than an answer may have; the stream was ended there. */
  cut: boolean;
  /** Whether any part of an answer came. */
  started: boolean;
  /** The caller's stop sequences; absent: none. */
  readonly stopText?: StopText;
}

export function emptyReply(): Reply {
  return { text: "", calls: [], usage: undefined, finish: "stop", cut: false, started: false };
}

/** The beginning of a text, no surrogate pair split. */
function beginning(text: string, chars: number): string {
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars);
}

/**
 * Reads the stream of a model call into `reply` and passes the text on to `deltas`. A stream that fails leaves in `reply`
 * what came before.
 * @throws ModelError, or what the model throws
 */
export async function readReply(
  state: Pick<TurnState, "record" | "options" | "signal" | "step" | "carry" | "aliveAt">,
  deps: Pick<TurnDeps, "clock" | "limits" | "newId" | "redactor" | "traceparent">,
  chosen: ChosenModel,
  request: ModelRequest,
  reply: Reply,
  deltas: Pick<DeltaBuffer, "text" | "reasoning">,
): Promise<void> {
  const call = state.step.call?.call ?? modelCallId(state.step.number);
  const stream = chosen.model.stream(request, {
    signal: state.signal,
    priority: priorityOf(state.record.view),
    traceparent: deps.traceparent?.(state.record.view, call),
    onRetry: ({ error, waitMs }) => {
      state.aliveAt = deps.clock.now();
      state.carry.events.push({ kind: "model.retried", call, code: modelFailure(error, deps).code, waitMs });
    },
  });
  // A structured answer is shown whole or not at all (A17).
  const streamed = state.options.skill === undefined;
  const { maxAnswerChars } = deps.limits;
  /** False: the answer reached its limit and was cut there. */
  const append = (text: string): boolean => {
    const room = maxAnswerChars - reply.text.length;
    const fits = text.length <= room;
    // Half a structured answer is none.
    if (!fits && !streamed)
      throw new ModelError("bad_response", `the model's answer is longer than ${maxAnswerChars} characters`);
    const piece = fits ? text : beginning(text, room);
    reply.text += piece;
    if (streamed && piece !== "") deltas.text(piece);
    if (fits) return true;
    reply.finish = "length";
    reply.cut = true;
    return false;
  };
  for await (const event of stream) {
    state.aliveAt = deps.clock.now();
    if (event.kind !== "usage" && event.kind !== "finish") reply.started = true;
    switch (event.kind) {
      case "text":
        if (!append(reply.stopText?.add(event.text) ?? event.text)) return;
        break;
      case "reasoning":
        deltas.reasoning(event.text);
        break;
      case "tool-call":
        reply.calls.push(withOwnId(event.call, deps.newId));
        break;
      case "usage":
        reply.usage = asUsage(event.usage);
        break;
      case "finish":
        reply.finish = event.reason;
        break;
    }
  }
  if (reply.stopText === undefined) return;
  append(reply.stopText.end());
  // What the provider cut off came after the answer's end.
  if (reply.stopText.cut && reply.finish === "length") reply.finish = "stop";
}
