import type {
  NumberedFrame,
  ProtocolVersion,
  PushNotificationConfig,
  StreamResponse,
} from "@agent-service/a2a-protocol";
import { webhookRequests } from "@agent-service/a2a-protocol/server";
import {
  type CommittedEvent,
  OPERATOR_CLASS,
  type PushConfig,
  type RenderWebhook,
} from "@agent-service/agent-core/host";
import { frameOfEvent } from "./frame-of-event.ts";
import type { TaskReference } from "./task-of-view.ts";

/** Who may see the arguments of an approval (A13). */

/** A stored config in the protocol's shape. */
export function pushNotificationConfig({ id, task, url, token, authentication }: PushConfig): PushNotificationConfig {
  return { id, taskId: task, url, ...(token !== undefined && { token }), ...(authentication && { authentication }) };
}

/** The protocol version a config was registered with. */
function versionOf(config: PushConfig): ProtocolVersion {
  return config.version === "1.0" ? "1.0" : "0.3";
}

function numbered(task: TaskReference, event: CommittedEvent, mayApprove: boolean): NumberedFrame[] {
  const frame = event.event.kind === "task.accepted" ? working(task, event) : frameOfEvent(task, event, { mayApprove });
  return frame === undefined ? [] : [{ seq: event.seq, frame }];
}

/** A stream opens with the Task; a webhook's first POST is the status `working` (B22). */
function working({ id, context }: TaskReference, { at }: CommittedEvent): StreamResponse {
  const status = { state: "TASK_STATE_WORKING", timestamp: new Date(at).toISOString() } as const;
  return { statusUpdate: { taskId: id, contextId: context, status } };
}

/**
 * The bodies of a webhook's POSTs (W1): the frames that a stream of its registrant would get for the event;
 * before a completion the task's artifacts. Where one POST has everything, the answer comes first, as in the Task.
 */
export const webhookPosts: RenderWebhook = (config, { task, event, artifacts }) => {
  const version = versionOf(config);
  const rank = ({ event: { kind } }: CommittedEvent): number => (version === "0.3" && kind === "answer" ? 0 : 1);
  const frames = [...artifacts]
    .sort((a, b) => rank(a) - rank(b) || a.seq - b.seq)
    .concat(event)
    .flatMap((one) => numbered(task, one, config.class === OPERATOR_CLASS));
  return webhookRequests(pushNotificationConfig(config), version, frames);
};
