import type {
  AnswerPart,
  CommittedEvent,
  InputPart,
  PendingPrompt,
  TimelineCall,
} from "@agent-service/agent-core/host";
import { a2aStateOf } from "../task-state/index.ts";
import type { JournalRow } from "./journal-row-schema.ts";
import { iso, usageOf } from "./schema.ts";

const TEXT_CHARS = 8_000;

/** The line of an event. `stored`: its tool call's row, where there is one. */
export function journalRowOf({ seq, at, event }: CommittedEvent, stored?: TimelineCall): JournalRow {
  const position = { seq, at: iso(at) };
  switch (event.kind) {
    case "task.accepted": {
      const { state, origin, input, parent, role } = event;
      const from = { origin, parent_task_id: parent?.task ?? null, role: role ?? null };
      return { kind: "accepted", ...position, state: a2aStateOf(state), ...from, text: textOf(input.parts) };
    }
    case "task.started":
      return { kind: "started", ...position, state: "working" };
    case "task.resumed":
      return { kind: "resumed", ...position, state: "working" };
    case "tool.started": {
      const { call: call_id, name: tool, parentCall } = event;
      const args = stored?.args ?? event.args;
      const truncated = stored?.truncated ?? false;
      return { kind: "tool_started", ...position, call_id, tool, args, truncated, parent_call_id: parentCall ?? null };
    }
    case "tool.finished": {
      const { call: call_id, name: tool, outcome, ms, parentCall } = event;
      const call = { outcome, result: stored?.result ?? event.result, truncated: stored?.truncated ?? false };
      const ended = { ...call, duration_ms: ms, parent_call_id: parentCall ?? null };
      return { kind: "tool_finished", ...position, call_id, tool, ...ended };
    }
    case "approval.skipped": {
      const { call: call_id, name: tool, by, rule = null } = event;
      return { kind: "approval_skipped", ...position, call_id, tool, by, rule };
    }
    case "delegation.finished":
      return {
        kind: "delegation_finished",
        ...position,
        call_id: event.call,
        task_id: event.task,
        state: a2aStateOf(event.state),
      };
    case "component.shown":
      return { kind: "component_shown", ...position, call_id: event.call, component: event.component };
    case "input.consumed":
      return { kind: "steered", ...position, texts: event.inputs.map(({ parts }) => textOf(parts)) };
    case "guard.noted":
      return { kind: "noted", ...position, guard: event.guard, text: cut(event.text) };
    case "context.pruned":
      return { kind: "pruned", ...position, results: event.results, chars: event.chars };
    case "context.compacted":
      return { kind: "compacted", ...position, summarised: event.summarised, kept: event.kept, chars: event.chars };
    case "context.recalled":
      return recalledRowOf(position, event);
    case "context.cut":
      return { kind: "cut", ...position, left: event.left, kept: event.kept, out_of_sight: event.outOfSight };
    case "detail.removed":
      return { kind: "detail_removed", ...position, model_calls: event.steps, tool_calls: event.toolCalls.length };
    case "answer": {
      const whole = textOfWhole(event.parts);
      return { kind: "answer", ...position, text: cut(whole), truncated: whole.length > TEXT_CHARS };
    }
    default:
      return modelRowOf(position, event) ?? personRowOf(position, event) ?? endRowOf(position, event);
  }
}

function recalledRowOf(position: Position, event: Extract<Event, { kind: "context.recalled" }>): JournalRow {
  const { step, mode, chars, ms: duration_ms, late = false, degraded = false, sessions = [], inSight = [] } = event;
  const items = event.items.map(({ chunk, revision, kind, trust, score = null, rank, vectorRank, words = null }) => {
    const ranks = { keyword_rank: rank ?? null, vector_rank: vectorRank ?? null };
    return { chunk_id: chunk, revision, kind, trust, score, ...ranks, words };
  });
  const left_out = event.leftOut.map(({ chunk, reason }) => ({ chunk_id: chunk, reason }));
  return {
    kind: "recalled",
    ...position,
    step,
    mode,
    items,
    left_out,
    session_ids: [...sessions],
    in_sight_chunk_ids: inSight.map((ref) => Number(ref.split(":", 1)[0])),
    chars,
    duration_ms,
    late,
    degraded,
  };
}

interface Position {
  readonly seq: number;
  readonly at: string;
}
type Event = CommittedEvent["event"];

function modelRowOf(position: Position, event: Event): JournalRow | undefined {
  switch (event.kind) {
    case "model.started":
      return { kind: "model_started", ...position, call_id: event.call, step: event.step, model: event.model };
    case "model.retried":
      return { kind: "model_retried", ...position, call_id: event.call, code: event.code, wait_ms: event.waitMs };
    case "model.fallback":
      return { kind: "model_fallback", ...position, from: event.from, to: event.to, code: event.code };
    case "model.finished":
    case "model.failed": {
      const { call, step, model, effort = null } = event;
      const asked = { call_id: call, step, model, reasoning_effort: effort };
      const usage = event.usage === undefined ? null : usageOf(event.usage);
      const came = { usage, cost_usd: event.costUsd ?? null, duration_ms: event.ms };
      if (event.kind === "model.failed") {
        const { code, message } = event.failure;
        return { kind: "model_failed", ...position, ...asked, code, message, ...came };
      }
      const tool_calls = (event.toolCalls ?? []).map(({ id, name }) => ({ call_id: id, tool: name }));
      return { kind: "model_finished", ...position, ...asked, finish: event.finish, ...came, tool_calls };
    }
    default:
      return undefined;
  }
}

function personRowOf(position: Position, event: Event): JournalRow | undefined {
  switch (event.kind) {
    case "task.parked":
      return { kind: "parked", ...position, state: "input-required", prompts: event.prompts.map(promptOf) };
    case "prompt.rejected":
      return { kind: "reply_rejected", ...position, prompt: promptOf(event.prompt), message: event.reason };
    case "prompt.withdrawn":
      return { kind: "withdrawn", ...position, prompt_id: event.promptId };
    case "prompt.answered": {
      const { promptId: prompt_id, answer, state } = event;
      return { kind: "answered", ...position, state: a2aStateOf(state), prompt_id, text: textOf(answer.parts) };
    }
    default:
      return undefined;
  }
}

function endRowOf(position: Position, event: Event): JournalRow {
  if (event.kind !== "task.completed" && event.kind !== "task.failed" && event.kind !== "task.canceled") {
    return { kind: "other", ...position, event: event.kind };
  }
  const totals = {
    usage: usageOf(event.usage),
    cost_usd: event.costUsd ?? null,
    duration_ms: event.durationMs,
  };
  if (event.kind === "task.failed") {
    const { code, message } = event.failure;
    return { kind: "failed", ...position, state: "failed", code, message, ...totals };
  }
  const none = { code: null, message: null };
  if (event.kind === "task.canceled") return { kind: "canceled", ...position, state: "canceled", ...none, ...totals };
  return { kind: "completed", ...position, state: "completed", code: null, message: event.note ?? null, ...totals };
}

function promptOf({ promptId, callId, tool, reason, payload, parentCall }: PendingPrompt) {
  const question = payload.kind === "question" ? payload.question : payload.title;
  const call = { call_id: callId, parent_call_id: parentCall ?? null, tool };
  return { prompt_id: promptId, ...call, kind: payload.kind, reason, question: cut(question) };
}

function textOf(parts: readonly (InputPart | AnswerPart)[]): string {
  return cut(textOfWhole(parts));
}

function textOfWhole(parts: readonly (InputPart | AnswerPart)[]): string {
  const texts = parts.map((part) => {
    if (part.kind === "text") return part.text;
    return part.kind === "data" ? JSON.stringify(part.data) : `[${part.name ?? part.mediaType}]`;
  });
  return texts.join("\n");
}

function cut(whole: string): string {
  return whole.slice(0, TEXT_CHARS);
}
