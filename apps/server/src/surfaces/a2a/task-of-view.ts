/** A task's view as the protocol's Task (A5, A11, A12, A13). */
import type { Artifact, Message, Metadata, Part, Task, TaskState, TaskStatus } from "@agent-service/a2a-protocol";
import {
  type AnswerPart,
  type TaskState as CoreState,
  hitlPayload,
  type InputMessage,
  type PendingPrompt,
  promptText,
  type ShownComponent,
  type TaskTotals,
  type TaskView,
  taskCost,
} from "@agent-service/agent-core/host";
import { COST_EXTENSION, MEDIA_TYPES } from "./extension-uris.ts";
import { messageOfInput } from "./input-of-message.ts";

/** Id of the artifact that is a task's answer. */
export const ANSWER_ARTIFACT = "answer";
/** Id, within the task, of its final message. */
export const END_MESSAGE = "end";

/** The five states on the wire; a queued task reads `working` (A5). */
export const WIRE_STATES: { readonly [state in CoreState]: TaskState } = Object.freeze({
  queued: "TASK_STATE_WORKING",
  running: "TASK_STATE_WORKING",
  parked: "TASK_STATE_INPUT_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  canceled: "TASK_STATE_CANCELED",
});

/** The ids that messages and frames carry. */
export interface TaskReference {
  readonly id: string;
  readonly context: string;
}

/** An agent's message in a task. `id` is unique in the task. */
export function agentMessage(task: TaskReference, id: string, parts: readonly Part[]): Message {
  return { messageId: `${task.id}-${id}`, role: "ROLE_AGENT", parts, taskId: task.id, contextId: task.context };
}

/** The question of a prompt: text, then the typed part (A13). */
export function promptMessage(
  task: TaskReference,
  prompt: PendingPrompt,
  viewer: { readonly mayApprove: boolean },
  rejection?: string,
): Message {
  const text = promptText(prompt, viewer);
  const parts: Part[] = [
    { text: rejection === undefined ? text : `${rejection}\n${text}` },
    { data: hitlPayload(prompt, viewer), mediaType: MEDIA_TYPES.hitl },
  ];
  return agentMessage(task, rejection === undefined ? prompt.promptId : `${prompt.promptId}-again`, parts);
}

export function answerParts(parts: readonly AnswerPart[]): Part[] {
  return parts.map((part) =>
    part.kind === "text" ? { text: part.text } : { data: part.data, mediaType: part.mediaType },
  );
}

/** A component as an artifact of its own. */
export function componentArtifact({ call, component }: ShownComponent): Artifact {
  const { title } = component;
  return {
    artifactId: `component-${call}`,
    ...(title === undefined || title === "" ? {} : { name: title }),
    parts: [{ data: component, mediaType: MEDIA_TYPES.component }],
  };
}

/** Metadata with usage, time, cost where it is known, and success (A11). */
export function costMetadata({ usage, durationMs, costUsd }: TaskTotals, success?: boolean): Metadata {
  return {
    [COST_EXTENSION]: {
      usage: {
        inputTokens: usage.input,
        outputTokens: usage.output,
        totalTokens: usage.input + usage.output,
        cacheReadInputTokens: usage.cacheRead,
        cacheCreationInputTokens: usage.cacheWrite,
      },
      durationMs,
      ...(costUsd === undefined ? {} : { costUsd }),
      ...(success === undefined ? {} : { success }),
    },
  };
}

/** The text of `status.message` of a failed task. */
export function failureText(failure: { readonly message: string } | undefined): string {
  return failure?.message ?? "The task failed.";
}

function statusOf(view: Readonly<TaskView>, viewer: { readonly mayApprove: boolean }): TaskStatus {
  const status = { state: WIRE_STATES[view.state], timestamp: new Date(view.statusAt).toISOString() };
  const prompt = view.prompts[0];
  if (view.state === "parked" && prompt !== undefined) {
    return { ...status, message: promptMessage(view, prompt, viewer, view.rejection) };
  }
  if (view.state === "failed")
    return { ...status, message: agentMessage(view, END_MESSAGE, [{ text: failureText(view.failure) }]) };
  if (view.note !== undefined) return { ...status, message: agentMessage(view, END_MESSAGE, [{ text: view.note }]) };
  return status;
}

function artifactsOf(view: Readonly<TaskView>): Artifact[] {
  const components = view.components.map(componentArtifact);
  const parts = view.answer !== undefined ? answerParts(view.answer) : view.text === "" ? [] : [{ text: view.text }];
  return parts.length === 0 ? components : [{ artifactId: ANSWER_ARTIFACT, parts }, ...components];
}

/** The part of the operator's decision that a peer may see: neither edited arguments nor a note to the model (A13). */
function withoutEdits(message: InputMessage): InputMessage {
  const parts = message.parts.map((part) => {
    if (part.kind !== "data" || typeof part.data !== "object" || part.data === null) return part;
    const { promptId, answer } = part.data as { readonly promptId?: unknown; readonly answer?: unknown };
    return promptId === undefined || typeof answer !== "boolean" ? part : { ...part, data: { promptId, answer } };
  });
  return { ...message, parts };
}

function historyOf(view: Readonly<TaskView>, viewer: { readonly mayApprove: boolean }): Message[] {
  return view.history.map((entry) =>
    entry.from === "caller"
      ? messageOfInput(viewer.mayApprove ? entry.message : withoutEdits(entry.message), view)
      : promptMessage(view, entry.prompt, viewer),
  );
}

/** The Task. Milliseconds of a task that has not ended are those up to its last change of state. */
export function taskOfView(view: Readonly<TaskView>, viewer: { readonly mayApprove: boolean }): Task {
  const durationMs = view.durationMs ?? Math.max(0, view.statusAt - view.createdAt - view.parkedMs);
  // Of a running task the sum so far; the final sum includes more than its own model calls.
  const costUsd = view.durationMs === undefined ? taskCost(view.models) : view.costUsd;
  const success = view.state === "completed" ? true : view.state === "failed" ? false : undefined;
  const artifacts = artifactsOf(view);
  return {
    id: view.id,
    contextId: view.context,
    status: statusOf(view, viewer),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    history: historyOf(view, viewer),
    metadata: costMetadata({ usage: view.usage, durationMs, ...(costUsd === undefined ? {} : { costUsd }) }, success),
  };
}
