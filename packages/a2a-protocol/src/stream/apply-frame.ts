import type { Artifact, Task } from "../task/index.ts";
import { isTerminal } from "../task/index.ts";
import type { StreamResponse } from "./stream-response.ts";

/**
 * The task after a frame: what a reader of a stream holds when it has seen everything up to and including it. Returns
 * a new object and never changes `task`. A status keeps only the latest message; the caller keeps history if it wants
 * one. Frames of other tasks and messages leave it as it is.
 */
export function applyFrame(task: Task, frame: StreamResponse): Task {
  if ("task" in frame) return frame.task;
  if ("statusUpdate" in frame) {
    const { taskId, status, metadata } = frame.statusUpdate;
    if (taskId !== task.id) return task;
    // Metadata of a progress frame (a tool call, for example) belongs to that step; the last frame's to the task.
    if (metadata === undefined || !isTerminal(status.state)) return { ...task, status };
    return { ...task, status, metadata: { ...task.metadata, ...metadata } };
  }
  if ("artifactUpdate" in frame) {
    const { taskId, artifact, append } = frame.artifactUpdate;
    if (taskId !== task.id) return task;
    return { ...task, artifacts: withArtifact(task.artifacts ?? [], artifact, append === true) };
  }
  return task;
}

function withArtifact(artifacts: readonly Artifact[], update: Artifact, append: boolean): readonly Artifact[] {
  const index = artifacts.findIndex((artifact) => artifact.artifactId === update.artifactId);
  if (index === -1) return [...artifacts, update];
  const old = artifacts[index]!;
  const next = append ? { ...old, ...update, parts: joined(old, update) } : update;
  return artifacts.with(index, next);
}

/** Appended text continues the last text part, so that a streamed answer stays one part. */
function joined(old: Artifact, update: Artifact): Artifact["parts"] {
  const last = old.parts.at(-1);
  const [first, ...rest] = update.parts;
  if (last === undefined || first === undefined || !("text" in last) || !("text" in first)) {
    return [...old.parts, ...update.parts];
  }
  return [...old.parts.slice(0, -1), { ...last, text: last.text + first.text }, ...rest];
}
