/**
 * From frames to events. Holds the task as far as it has been seen, so that a snapshot after a broken connection yields
 * only what is new.
 */
import type { Message, Metadata, Part } from "../message/index.ts";
import { applyFrame, type StreamResponse } from "../stream/index.ts";
import { type Artifact, isInterrupted, isTerminal, type Task, type TaskStatus } from "../task/index.ts";
import type { AgentEvent, InputRequired, ToolProgress } from "./agent-event.ts";

/** An event before the stream gives it its way to answer. */
export type FoldedEvent = Exclude<AgentEvent, InputRequired> | Omit<InputRequired, "answer">;

export interface FrameFolder {
  /** The events in a frame. */
  take(frame: StreamResponse, seq: number | undefined): FoldedEvent[];
  /** Takes a task whose text the caller has already; yields the task only. */
  seed(task: Task, seq: number | undefined): FoldedEvent[];
  /** The events of a task that came as a whole, its state included. */
  whole(task: Task): FoldedEvent[];
  task(): Task | undefined;
}

const TOOL_CALL_EXTENSION = "urn:agent-service:a2a:ext:tool-call-v1";

/** A folder at the start of a stream. */
export function createFrameFolder(): FrameFolder {
  let current: Task | undefined;
  const texts = new Map<string, string>();
  const whole = new Set<string>();

  /** An output as it is now, whatever was seen of it before. */
  function replaced(artifact: Artifact): FoldedEvent[] {
    const { artifactId } = artifact;
    const before = texts.get(artifactId) ?? "";
    const text = textOf(artifact.parts);
    texts.set(artifactId, text);
    if (text === before) return [];
    if (text.startsWith(before)) return [{ kind: "text", delta: text.slice(before.length), artifactId }];
    const reset: FoldedEvent = { kind: "text-reset", artifactId };
    return text === "" ? [reset] : [reset, { kind: "text", delta: text, artifactId }];
  }
  function ready(artifact: Artifact): FoldedEvent[] {
    if (!artifact.parts.some((part) => !("text" in part) || part.text !== "")) return [];
    whole.add(artifact.artifactId);
    return [{ kind: "artifact", artifact }];
  }
  /** Outputs of a completed task whose last piece was not marked. */
  function unfinished(): FoldedEvent[] {
    return (current?.artifacts ?? []).filter(({ artifactId }) => !whole.has(artifactId)).flatMap(ready);
  }
  function snapshot(task: Task): FoldedEvent[] {
    const first = current === undefined;
    current = task;
    const outputs = (task.artifacts ?? []).flatMap((artifact) => {
      const endsUnfinished = isTerminal(task.status.state) && !whole.has(artifact.artifactId);
      return endsUnfinished ? [...replaced(artifact), ...ready(artifact)] : replaced(artifact);
    });
    return first ? [{ kind: "task", task }, ...outputs] : outputs;
  }
  function artifactEvents(update: { artifact: Artifact; append?: boolean; lastChunk?: boolean }): FoldedEvent[] {
    const { artifact, append, lastChunk } = update;
    if (append !== true) return lastChunk === true ? [...replaced(artifact), ...ready(artifact)] : replaced(artifact);
    const { artifactId } = artifact;
    const delta = textOf(artifact.parts);
    texts.set(artifactId, (texts.get(artifactId) ?? "") + delta);
    const events: FoldedEvent[] = delta === "" ? [] : [{ kind: "text", delta, artifactId }];
    const all = current?.artifacts?.find((candidate) => candidate.artifactId === artifactId) ?? artifact;
    return lastChunk ? [...events, ...ready(all)] : events;
  }
  function fold(frame: StreamResponse): FoldedEvent[] {
    if ("task" in frame) return snapshot(frame.task);
    if ("message" in frame) {
      return [{ kind: "message", message: frame.message, text: textOf(frame.message.parts) }];
    }
    if (current !== undefined) current = applyFrame(current, frame);
    if ("artifactUpdate" in frame) return artifactEvents(frame.artifactUpdate);
    const { status, taskId, contextId, metadata } = frame.statusUpdate;
    const event = toolProgress(metadata ?? status.message?.metadata) ?? statusEvent(status, taskId, contextId);
    return status.state === "TASK_STATE_COMPLETED" ? [...unfinished(), event] : [event];
  }

  return {
    take: (frame, seq) => numbered(fold(frame), seq),
    seed(task, seq) {
      for (const { artifactId, parts } of task.artifacts ?? []) texts.set(artifactId, textOf(parts));
      return numbered(snapshot(task), seq);
    },
    whole(task) {
      return [...snapshot(task), statusEvent(task.status, task.id, task.contextId)];
    },
    task: () => current,
  };
}

function numbered(events: FoldedEvent[], seq: number | undefined): FoldedEvent[] {
  return seq === undefined ? events : events.map((event) => ({ ...event, seq }));
}

function statusEvent({ state, message }: TaskStatus, taskId: string, contextId: string): FoldedEvent {
  const text = textOf(message?.parts ?? []);
  if (!isInterrupted(state))
    return { kind: "status", state, text, ...(message && { message }), final: isTerminal(state) };
  const prompt = promptOf(message);
  const promptId = prompt?.promptId;
  return {
    kind: "input-required",
    question: text,
    taskId,
    contextId,
    ...(typeof promptId === "string" && { promptId }),
    ...(prompt && { prompt }),
    ...(message && { message }),
  };
}

/** The form of a question (B14): found by the media type of its part, whoever the vendor is. */
function promptOf(message: Message | undefined): { readonly [key: string]: unknown } | undefined {
  for (const part of message?.parts ?? []) {
    if ("data" in part && /\.hitl-v1\+json$/.test(part.mediaType ?? "") && typeof part.data === "object") {
      return (part.data ?? undefined) as { readonly [key: string]: unknown } | undefined;
    }
  }
  return undefined;
}

function toolProgress(metadata: Metadata | undefined): FoldedEvent | undefined {
  const call = metadata?.[TOOL_CALL_EXTENSION] as Partial<ToolProgress> | undefined;
  if (typeof call !== "object" || call === null) return undefined;
  const { toolCallId, name, phase } = call;
  if (typeof toolCallId !== "string" || typeof name !== "string") return undefined;
  if (phase !== "started" && phase !== "completed" && phase !== "failed") return undefined;
  return {
    kind: "tool",
    toolCallId,
    name,
    phase,
    ...(typeof call.args === "string" && { args: call.args }),
    ...(typeof call.result === "string" && { result: call.result }),
    ...(typeof call.title === "string" && { title: call.title }),
    ...(typeof call.durationMs === "number" && { durationMs: call.durationMs }),
    ...(typeof call.parentToolCallId === "string" && { parentToolCallId: call.parentToolCallId }),
    ...(typeof call.approvalSkipped === "string" && { approvalSkipped: call.approvalSkipped }),
    ...(typeof call.rule === "string" && { rule: call.rule }),
  };
}

/** The text of parts, as one string. */
export function textOf(parts: readonly Part[]): string {
  return parts.map((part) => ("text" in part ? part.text : "")).join("");
}
