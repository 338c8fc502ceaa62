/** Requests about webhooks, in the 1.0 shape (A2A 1.0.1 "Requests and responses"). */
import type { InlinePushConfig } from "./push-notification-config.ts";

/** Registers a webhook, or replaces the one of the same id. */
export type SetPushConfigRequest = InlinePushConfig & { readonly taskId: string };

export interface PushConfigRequest {
  readonly taskId: string;
  /** Absent (0.3 only): the one a caller registered without naming it. */
  readonly id?: string;
}

export interface ListPushConfigsRequest {
  readonly taskId: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
}

export interface ListPushConfigsResponse<Config> {
  readonly configs: readonly Config[];
  /** Absent on the last page. */
  readonly nextPageToken?: string;
}
