/** From the 1.0-shaped model to the 0.3 wire. Pure; the same input gives the same output. */
import type { Message, Part } from "../message/index.ts";
import type { StreamResponse } from "../stream/index.ts";
import type { Artifact, Task, TaskStatus } from "../task/index.ts";
import { isInterrupted, isTerminal } from "../task/index.ts";
import { dataOf } from "./cost.ts";
import { wireState } from "./state.ts";
import type { WireArtifact, WireFrame, WireMessage, WirePart, WireTask, WireTaskStatus } from "./wire.ts";

/** A part. Data that is no object, which 0.3 cannot carry, is wrapped as `{value}`. */
export function partToWire(part: Part): WirePart {
  const { metadata, filename: name, mediaType: mimeType } = part;
  if ("text" in part) return { kind: "text", text: part.text, ...(metadata && { metadata }) };
  if ("data" in part) {
    const data = (isObject(part.data) ? part.data : { value: part.data }) as Record<string, unknown>;
    if (mimeType === undefined) return { kind: "data", data, ...(metadata && { metadata }) };
    return { kind: "data", data, mimeType, metadata: { ...metadata, mimeType } };
  }
  const named = { ...(name !== undefined && { name }), ...(mimeType !== undefined && { mimeType }) };
  const file = "raw" in part ? { bytes: part.raw, ...named } : { uri: part.url, ...named };
  return { kind: "file", file, ...(metadata && { metadata }) };
}

export function messageToWire(message: Message): WireMessage {
  const { messageId, role, parts, contextId, taskId, metadata, extensions, referenceTaskIds } = message;
  return {
    kind: "message",
    messageId,
    role: role === "ROLE_AGENT" ? "agent" : "user",
    parts: parts.map(partToWire),
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    ...(metadata && { metadata }),
    ...(extensions && { extensions }),
    ...(referenceTaskIds && { referenceTaskIds }),
  };
}

/** A task. `historyLength`: at most that many newest messages; absent: all, 0: none (A10). */
export function taskToWire(task: Task, historyLength?: number): WireTask {
  const { id, contextId, status, artifacts, metadata } = task;
  const history = newest(task.history, historyLength);
  const data = dataOf(metadata);
  return {
    kind: "task",
    id,
    contextId,
    status: statusToWire(status),
    ...(artifacts && { artifacts: artifacts.map(artifactToWire) }),
    ...(history && { history: history.map(messageToWire) }),
    ...(metadata && { metadata }),
    ...(data && { data }),
  };
}

/** A stream frame. `final` is true for terminal states and for parked ones. */
export function frameToWire(frame: StreamResponse): WireFrame {
  if ("artifactUpdate" in frame) {
    const { taskId, contextId, artifact, append = false, lastChunk = false, metadata } = frame.artifactUpdate;
    return {
      kind: "artifact-update",
      taskId,
      contextId,
      artifact: artifactToWire(artifact),
      append,
      lastChunk,
      ...(metadata && { metadata }),
    };
  }
  if ("statusUpdate" in frame) {
    const { taskId, contextId, status, metadata } = frame.statusUpdate;
    const final = isTerminal(status.state) || isInterrupted(status.state);
    return {
      kind: "status-update",
      taskId,
      contextId,
      status: statusToWire(status),
      final,
      ...(metadata && { metadata }),
    };
  }
  return "task" in frame ? taskToWire(frame.task) : messageToWire(frame.message);
}

function statusToWire({ state, message, timestamp }: TaskStatus): WireTaskStatus {
  return {
    state: wireState(state),
    ...(message && { message: messageToWire(message) }),
    ...(timestamp !== undefined && { timestamp }),
  };
}

export function artifactToWire({ artifactId, name, description, parts, metadata, extensions }: Artifact): WireArtifact {
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts: parts.map(partToWire),
    ...(metadata && { metadata }),
    ...(extensions && { extensions }),
  };
}

function newest(history: readonly Message[] | undefined, length: number | undefined): readonly Message[] | undefined {
  if (history === undefined || length === undefined) return history;
  return length === 0 ? undefined : history.slice(-length);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
