import {
  type CommittedEvent,
  isTerminalState,
  type TaskEvent,
  type TaskState,
  type TaskView,
  taskCost,
} from "../event/index.ts";
import { stateAfter } from "../journal/index.ts";
import type { JsonObject } from "../json/index.ts";
import type { EventLog } from "./event-log.ts";

type View = Readonly<TaskView>;

/**
 * Publishes the turns that commits of the journal change (O7). The session index publishes sessions once it is updated.
 * Before the first subscription it costs a comparison.
 */
export function publishTasks(
  bus: EventLog,
): (record: { readonly view: View }, events: readonly CommittedEvent[]) => void {
  return ({ view }, events) => {
    if (!bus.watched) return;
    for (const { event } of events) publishEvent(bus, view, event, stateAfter(event));
  };
}

/** Publishes what running calls say of their progress. */
export function publishProgress(
  bus: EventLog,
): (progress: {
  readonly view: Pick<View, "id" | "context">;
  readonly call: string;
  readonly name: string;
  readonly text: string;
}) => void {
  return ({ view, call, name, text }) => {
    if (bus.watched) bus.publish("turn.progress", { ...callOf(view, { name, call }), phase: "tool_progress", text });
  };
}

function publishEvent(bus: EventLog, view: View, event: TaskEvent, state: TaskState | undefined): void {
  switch (event.kind) {
    case "tool.started":
      bus.publish("turn.progress", { ...callOf(view, event), phase: "tool_start" });
      return;
    case "tool.finished":
      bus.publish("turn.progress", {
        ...callOf(view, event),
        phase: "tool_end",
        outcome: event.outcome,
        ms: event.ms,
      });
      return;
    case "model.finished":
      bus.publish("turn.progress", {
        ...idsOf(view),
        phase: "model_end",
        model: event.model,
        input_tokens: view.usage.input,
        output_tokens: view.usage.output,
        context_tokens: event.usage?.input ?? null,
      });
      return;
    case "model.fallback":
      bus.publish("model.fallback", { ...idsOf(view), from: event.from, to: event.to, code: event.code });
      return;
    default:
      if (state !== undefined) bus.publish(topicOf(event, state), dataOf(view, event, state));
  }
}

function topicOf(event: TaskEvent, state: TaskState): string {
  if (isTerminalState(state)) return "turn.finished";
  if (state === "parked") return "turn.input_required";
  if (state === "queued") return "turn.queued";
  return event.kind === "prompt.answered" || event.kind === "task.resumed" ? "turn.resumed" : "turn.started";
}

function dataOf(view: View, event: TaskEvent, state: TaskState): JsonObject {
  const turn = turnOf(view, state);
  if (event.kind === "task.parked") {
    const shown = event.prompts[0];
    return { ...turn, prompt_id: shown?.promptId, reason: shown?.reason };
  }
  if (event.kind !== "task.completed" && event.kind !== "task.failed" && event.kind !== "task.canceled") return turn;
  return {
    ...turn,
    ok: state === "completed",
    input_tokens: event.usage.input,
    output_tokens: event.usage.output,
    cost_usd: taskCost(view.models) ?? null,
    duration_ms: event.durationMs,
    code: event.kind === "task.failed" ? event.failure.code : undefined,
  };
}

function turnOf(view: View, state: TaskState): JsonObject {
  const { id, context, class: caller, origin, parent } = view;
  return { task_id: id, session_id: context, class: caller, origin, state, parent_task_id: parent?.task };
}

function idsOf(view: Pick<View, "id" | "context">): JsonObject {
  return { task_id: view.id, session_id: view.context };
}

function callOf(
  view: Pick<View, "id" | "context">,
  { name, call }: { readonly name: string; readonly call: string },
): JsonObject {
  return { ...idsOf(view), tool: name, tool_call_id: call };
}
