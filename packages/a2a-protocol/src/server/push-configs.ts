/** The webhooks' part of the executor port (W1). Its absence turns push notifications off: -32003. */
import type { PushNotificationConfig } from "../push/index.ts";
import type { CallContext } from "./call-context.ts";

/** Which configs to list. */
export interface PushConfigPageQuery {
  /** Most configs of the page; absent: all of them, as a task has at most `MAX_PUSH_CONFIGS`. */
  readonly pageSize?: number;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string;
}

/** Configs of a task, oldest first. */
export interface PushConfigPage {
  readonly configs: readonly PushNotificationConfig[];
  /** Absent on the last page. */
  readonly nextPageToken?: string;
}

/**
 * The webhooks of tasks. Every method rejects with `A2AError` -32001 where the task does not exist for this caller
 * (A16). The handler takes secrets out of what it answers; executors may return them or not.
 */
export interface PushConfigs {
  /**
   * Registers a webhook, or replaces the one of the same id; resolves once that is durable. `call.version` is the
   * version of the registration and decides what the webhook is sent. The handler has checked shape and lengths.
   * Rejects with `A2AError` -32602 for an address that is refused (the reason, never a resolved address) and for one
   * config too many. A config of a task that is terminal is sent that state at once (W1).
   */
  set(config: PushNotificationConfig, call: CallContext): Promise<PushNotificationConfig>;
  /** The config, or undefined where the task has none of that id. */
  get(taskId: string, id: string, call: CallContext): Promise<PushNotificationConfig | undefined>;
  /** A page of the task's configs. Rejects with `A2AError` -32602 for a page token it did not make. */
  list(taskId: string, page: PushConfigPageQuery, call: CallContext): Promise<PushConfigPage>;
  /** Removes a config for good; one that is not there is removed already. */
  delete(taskId: string, id: string, call: CallContext): Promise<void>;
}
