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
import type { TaskPlace } from "./task-of-view.ts";

/** Who may see the arguments of an approval (A13). */

/** A stored config in the protocol's shape. */
export function pushNotificationConfig({ id, task, url, token, authentication }: PushConfig): PushNotificationConfig {
  return { id, taskId: task, url, ...(token !== undefined && { token }), ...(authentication && { authentication }) };
}

/** The version a config was registered in. */
function versionOf(config: PushConfig): ProtocolVersion {
  return config.version === "1.0" ? "1.0" : "0.3";
}

function numbered(place: TaskPlace, event: CommittedEvent, mayApprove: boolean): NumberedFrame[] {
  const frame =
    event.event.kind === "task.accepted" ? working(place, event) : frameOfEvent(place, event, { mayApprove });
  return frame === undefined ? [] : [{ seq: event.seq, frame }];
}

/** A stream opens with the Task; a webhook's first news is that it is at work (B22). */
function working({ id, context }: TaskPlace, { at }: CommittedEvent): StreamResponse {
  const status = { state: "TASK_STATE_WORKING", timestamp: new Date(at).toISOString() } as const;
  return { statusUpdate: { taskId: id, contextId: context, status } };
}

/**
 * What a webhook is POSTed (W1): what a stream would show of the event, to whoever registered it;
 * before a completion what the task made. Where one POST tells everything, the answer comes first, as in the Task.
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
