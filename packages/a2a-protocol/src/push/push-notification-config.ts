/**
 * Webhooks of a task in the 1.0 shape (A2A 1.0.1 "TaskPushNotificationConfig", B21,
 * W1).
 */

/** How the agent shows its credentials to the webhook. */
export interface PushAuthentication {
  /** IANA name of the scheme, `Bearer` for example; its case does not matter. */
  readonly scheme: string;
  readonly credentials?: string;
}

/** Where a task's updates go. `token` and `credentials` are secrets: no answer to a caller holds them. */
export interface PushNotificationConfig {
  /** Names the config within its task; the task's own id unless the caller chose one. */
  readonly id: string;
  readonly taskId: string;
  /** Absolute address of the webhook. */
  readonly url: string;
  /** The top-level token of 0.3 (B21). Visible ASCII, so that any header carries it. */
  readonly token?: string;
  readonly authentication?: PushAuthentication;
}

/** A config that comes with a message (`configuration` of a send): its task is the one the message goes to. */
export type InlinePushConfig = Omit<PushNotificationConfig, "id" | "taskId"> & {
  /** Absent: the id of the task. */
  readonly id?: string;
};

/** Most configs of one task; one more is refused with -32602. */
export const MAX_PUSH_CONFIGS = 16;
