/** The body of a webhook, of either version, as frames of the model (W1). */
import { A2AError } from "../error/index.ts";
import type { ProtocolVersion } from "../message/index.ts";
import type { StreamResponse } from "../stream/index.ts";
import { frameFromWire as frameFromV03 } from "../v0-3/index.ts";
import { frameFromWire as frameFromV10 } from "../v1-0/index.ts";

/** The content of a POST to a webhook. */
export interface ReadNotification {
  readonly taskId: string;
  /** Of the registration; a 0.3 body names its kind. */
  readonly version: ProtocolVersion;
  /** In order: outputs that came with a status stand before it. */
  readonly frames: readonly StreamResponse[];
}

/** Reads a parsed body. Throws `A2AError` INVALID_AGENT_RESPONSE for one without a task. */
export function readNotification(body: unknown): ReadNotification {
  const isOld = typeof body === "object" && body !== null && "kind" in body;
  const frames = isOld ? framesFromV03(body) : [frameFromV10(body)];
  const taskId = taskOf(frames.at(-1)!);
  if (taskId === undefined || taskId === "") {
    throw new A2AError("INVALID_AGENT_RESPONSE", "The notification names no task");
  }
  return { taskId, version: isOld ? "0.3" : "1.0", frames };
}

/** A status update of 0.3 brings its outputs under `artifact`, and under `artifacts` where there are several. */
function framesFromV03(body: object): StreamResponse[] {
  const { artifact, artifacts, taskId, contextId } = body as Readonly<Record<string, unknown>>;
  const { frame } = frameFromV03(body);
  if (!("statusUpdate" in frame)) return [frame];
  const outputs = Array.isArray(artifacts) ? artifacts : artifact === undefined || artifact === null ? [] : [artifact];
  const updates = outputs.map(
    (output: unknown) =>
      frameFromV03({ kind: "artifact-update", taskId, contextId, artifact: output, lastChunk: true }).frame,
  );
  return [...updates, frame];
}

function taskOf(frame: StreamResponse): string | undefined {
  if ("task" in frame) return frame.task.id;
  if ("statusUpdate" in frame) return frame.statusUpdate.taskId;
  return "artifactUpdate" in frame ? frame.artifactUpdate.taskId : frame.message.taskId;
}
