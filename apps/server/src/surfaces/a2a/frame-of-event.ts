/** A journal event as a protocol frame (A6, A14); most internal events are none. */
import type { Metadata, Part, StreamResponse, TaskState } from "@agent-service/a2a-protocol";
import type { CommittedEvent, TaskView } from "@agent-service/agent-core/host";
import { MEDIA_TYPES, REASONING_EXTENSION, TOOL_CALL_EXTENSION } from "./extension-uris.ts";
import {
  ANSWER_ARTIFACT,
  agentMessage,
  answerParts,
  componentArtifact,
  costMetadata,
  END_MESSAGE,
  failureText,
  promptMessage,
  type TaskReference,
} from "./task-of-view.ts";

function status(
  task: TaskReference,
  { seq, at }: CommittedEvent,
  state: TaskState,
  more: {
    readonly parts?: readonly Part[];
    readonly metadata?: Metadata;
    readonly extensions?: readonly string[];
  } = {},
): StreamResponse {
  // The last message is the one the Task shows, under the same id.
  const id = state === "TASK_STATE_WORKING" ? String(seq) : END_MESSAGE;
  const extensions = more.extensions === undefined ? {} : { extensions: more.extensions };
  const message = more.parts && { message: { ...agentMessage(task, id, more.parts), ...extensions } };
  return {
    statusUpdate: {
      taskId: task.id,
      contextId: task.context,
      status: { state, timestamp: new Date(at).toISOString(), ...message },
      ...(more.metadata === undefined ? {} : { metadata: more.metadata }),
    },
  };
}

function answerUpdate(
  task: TaskReference,
  parts: readonly Part[],
  flags: { append?: true; lastChunk?: true },
): StreamResponse {
  const artifact = { artifactId: ANSWER_ARTIFACT, parts };
  return { artifactUpdate: { taskId: task.id, contextId: task.context, artifact, ...flags } };
}

function toolFrame(task: TaskReference, committed: CommittedEvent, call: Metadata, text: string): StreamResponse {
  return status(task, committed, "TASK_STATE_WORKING", {
    parts: [{ text }],
    metadata: { [TOOL_CALL_EXTENSION]: call },
  });
}

/** Whether a person may have been asked to approve this call: the question precedes its start. */
function mayBeApproved(history: TaskView["history"] | undefined, call: string): boolean {
  if (history === undefined) return true;
  return history.some(
    (entry) =>
      entry.from === "agent" &&
      entry.prompt.callId === call &&
      entry.prompt.reason === "before" &&
      entry.prompt.payload.kind === "approval",
  );
}

/** A title holds arguments: whoever does not see those does not see it. */
function titled(title: string | undefined): { readonly title?: string } {
  return title === undefined ? {} : { title };
}

/** The rights of a stream's reader. */
export interface FrameViewer {
  readonly mayApprove: boolean;
  /** Activated `reasoning-v1` and may see it (A14). */
  readonly seesReasoning?: boolean;
}

function reasoningFrame(task: TaskReference, committed: CommittedEvent, text: string): StreamResponse {
  const parts = [{ data: { text }, mediaType: MEDIA_TYPES.reasoning }];
  return status(task, committed, "TASK_STATE_WORKING", { parts, extensions: [REASONING_EXTENSION] });
}

/**
 * The frame of an event as the viewer may see it, or undefined for internal ones. A viewer who may not approve sees
 * that an approval waits, but neither its call nor afterwards what was approved (A13): `task` with its history is the
 * task's snapshot as of this event or later, and without a history such a viewer sees no arguments at all.
 */
export function frameOfEvent(
  task: TaskReference & Partial<Pick<TaskView, "history">>,
  committed: CommittedEvent,
  viewer: FrameViewer,
): StreamResponse | undefined {
  const { event } = committed;
  switch (event.kind) {
    case "text.delta":
      // Clients append to an artifact they have seen: its first frame creates it (A6).
      return answerUpdate(task, [{ text: event.text }], event.begins === true ? {} : { append: true });
    case "text.reset":
      return answerUpdate(task, [{ text: "" }], {});
    case "reasoning.delta":
      return viewer.seesReasoning === true ? reasoningFrame(task, committed, event.text) : undefined;
    case "tool.started": {
      const parent = event.parentCall === undefined ? {} : { parentToolCallId: event.parentCall };
      const { args, title } = event;
      const shown = viewer.mayApprove || !mayBeApproved(task.history, event.call) ? { args, ...titled(title) } : {};
      const call = { toolCallId: event.call, name: event.name, phase: "started", ...shown, ...parent };
      return toolFrame(task, committed, call, `Calling ${event.name}`);
    }
    case "tool.finished": {
      const phase = event.outcome === "ok" ? "completed" : "failed";
      const parent = event.parentCall === undefined ? {} : { parentToolCallId: event.parentCall };
      const { result, ms, title } = event;
      const maySee = viewer.mayApprove || !mayBeApproved(task.history, event.call);
      const ended = { phase, result, durationMs: ms, ...(maySee ? titled(title) : {}) };
      const call = { toolCallId: event.call, name: event.name, ...ended, ...parent };
      return toolFrame(task, committed, call, `${event.name} ${phase}`);
    }
    case "approval.skipped": {
      if (!viewer.mayApprove) return undefined;
      const { call: toolCallId, name, by, rule } = event;
      const skipped = { toolCallId, name, phase: "started", approvalSkipped: by, ...(by === "rule" && { rule }) };
      return toolFrame(task, committed, skipped, `${name} runs without asking`);
    }
    case "component.shown": {
      const artifact = componentArtifact(event);
      return { artifactUpdate: { taskId: task.id, contextId: task.context, artifact, lastChunk: true } };
    }
    case "task.parked": {
      const message = event.prompts[0] === undefined ? {} : { message: promptMessage(task, event.prompts[0], viewer) };
      return inputRequired(task, committed, message);
    }
    case "prompt.rejected":
      return inputRequired(task, committed, { message: promptMessage(task, event.prompt, viewer, event.reason) });
    case "prompt.answered":
      // With more prompts behind it the task stays parked and the next event shows the next one.
      return event.state === "parked" ? undefined : status(task, committed, "TASK_STATE_WORKING");
    case "answer":
      return answerUpdate(task, answerParts(event.parts), { lastChunk: true });
    case "task.completed":
      return status(task, committed, "TASK_STATE_COMPLETED", {
        metadata: costMetadata(event, true),
        ...(event.note === undefined ? {} : { parts: [{ text: event.note }] }),
      });
    case "task.failed":
      return status(task, committed, "TASK_STATE_FAILED", {
        metadata: costMetadata(event, false),
        parts: [{ text: failureText(event.failure) }],
      });
    case "task.canceled":
      return status(task, committed, "TASK_STATE_CANCELED", { metadata: costMetadata(event) });
    default:
      return undefined;
  }
}

function inputRequired(
  task: TaskReference,
  committed: CommittedEvent,
  message: { readonly message?: ReturnType<typeof promptMessage> },
): StreamResponse {
  const timestamp = new Date(committed.at).toISOString();
  return {
    statusUpdate: {
      taskId: task.id,
      contextId: task.context,
      status: { state: "TASK_STATE_INPUT_REQUIRED", timestamp, ...message },
    },
  };
}
