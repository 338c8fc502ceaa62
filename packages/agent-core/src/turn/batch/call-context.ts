/** What a tool receives about its call, and on whose behalf it is made. */
import { keepNothing, type ParkAnswer, type ToolContext } from "@agent-service/plugin-sdk";
import { OPERATOR_CLASS } from "../../share/index.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";
import type { CallBatch } from "./call-batch.ts";
import { noteValue } from "./call-note.ts";

/** What a decision needs of its turn. */
export interface CallingTurn extends Pick<TurnState, "record" | "options" | "signal" | "aliveAt"> {
  readonly conversation: Pick<TurnState["conversation"], "tainted">;
}

const NO_ANSWERS: readonly ParkAnswer[] = Object.freeze([]);

/**
 * Whether the operator waived, for this turn, the approvals that can be waived (F12): asked at each call, because the
 * settings may have forbidden it meanwhile.
 */
function waivesApprovals({ record, options }: CallingTurn, deps: Pick<TurnDeps, "bypassAllowed">): boolean {
  if (options.bypassApprovals !== true || options.unattended === true) return false;
  return record.view.class === OPERATOR_CLASS && deps.bypassAllowed();
}

/** The context a tool gets, without the signal. It can keep nothing: see `run-call.ts`. */
export function callContext(
  turn: CallingTurn,
  { insideAnswers, openCalls, notes, outside }: Pick<CallBatch, "insideAnswers" | "openCalls" | "notes" | "outside">,
  deps: Pick<TurnDeps, "clock" | "log" | "bypassAllowed">,
  callId: string,
): Omit<ToolContext, "signal"> {
  const { id: taskId, context: contextId, class: callerClass } = turn.record.view;
  const { unattended = false, incognito = false } = turn.options;
  return {
    callId,
    taskId,
    contextId,
    caller: {
      class: callerClass,
      unattended,
      incognito,
      bypass: waivesApprovals(turn, deps),
      tainted: turn.conversation.tainted,
    },
    earlierAnswers: insideAnswers.get(callId)?.slice(0, -1) ?? NO_ANSWERS,
    keep: keepNothing,
    fromOutside: () => void outside.add(callId),
    kept: noteValue(notes.get(callId)),
    progress: () => {
      if (openCalls.has(callId)) turn.aliveAt = deps.clock.now();
    },
    log: deps.log,
    now: () => new Date(deps.clock.now()),
  };
}
