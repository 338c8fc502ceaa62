/** What webhooks are sent, in the version they were registered in (B22, W1). */
import type { ProtocolVersion } from "../message/index.ts";
import type { PushNotificationConfig } from "../push/index.ts";
import type { NumberedFrame, StreamResponse, TaskStatusUpdateEvent } from "../stream/index.ts";
import type { Artifact } from "../task/index.ts";
import { artifactToWire, frameToWire } from "../v0-3/index.ts";
import { credentialHeaders, EVENT_ID_HEADER } from "./webhook-headers.ts";

/** One POST to a webhook. */
export interface WebhookRequest {
  /** Number of its event. */
  readonly seq: number;
  /** Content type, event id and credentials. Secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/**
 * The POSTs that notify a webhook of its task's frames, in the order they have to arrive. `frames` is one status
 * update (or the task), before which, on completion, its whole outputs come: artifact updates that append nothing.
 *
 * 0.3: one POST, the status update, with the first output under `artifact` and, where there are more, all of them under
 * `artifacts`. 1.0: one POST per frame, each a StreamResponse. Without a status or a task there is no POST for a 0.3
 * webhook.
 */
export function webhookRequests(
  config: PushNotificationConfig,
  version: ProtocolVersion,
  frames: readonly NumberedFrame[],
): readonly WebhookRequest[] {
  const credentials = credentialHeaders(config, version);
  const request = (seq: number, type: string, body: object): WebhookRequest => ({
    seq,
    headers: { "content-type": type, [EVENT_ID_HEADER]: `${config.taskId}/${seq}`, ...credentials },
    body: JSON.stringify(body),
  });
  if (version === "1.0") return frames.map(({ seq, frame }) => request(seq, "application/a2a+json", frame));
  const last = frames.findLast(({ frame }) => statusIn(frame) !== undefined);
  if (last === undefined) return [];
  const artifacts = frames.flatMap(({ frame }) => ("artifactUpdate" in frame ? [frame.artifactUpdate.artifact] : []));
  return [request(last.seq, "application/json", statusBody(last.frame, artifacts))];
}

/** The event id in its header, taken apart; undefined for what is none. */
export function parseEventId(id: string | null): { readonly taskId: string; readonly seq: number } | undefined {
  const [, taskId, seq] = /^(.+)\/(\d{1,15})$/s.exec(id ?? "") ?? [];
  return taskId === undefined ? undefined : { taskId, seq: Number(seq) };
}

function statusBody(frame: StreamResponse, artifacts: readonly Artifact[]): object {
  const statusUpdate = statusIn(frame)!;
  const [artifact, ...more] = artifacts.map(artifactToWire);
  return {
    ...frameToWire({ statusUpdate }),
    ...(artifact && { artifact }),
    ...(more.length > 0 && { artifacts: [artifact, ...more] }),
  };
}

function statusIn(frame: StreamResponse): TaskStatusUpdateEvent | undefined {
  if ("statusUpdate" in frame) return frame.statusUpdate;
  if (!("task" in frame)) return undefined;
  const { id: taskId, contextId, status, metadata } = frame.task;
  return { taskId, contextId, status, ...(metadata && { metadata }) };
}
