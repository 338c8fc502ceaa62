/** Sending a message, in the 1.0 shape (A2A 1.0.1, "Requests and responses"). */
import type { InlinePushConfig } from "../push/index.ts";
import type { Message, Metadata } from "./message.ts";

/** How the caller wants its answer. */
export interface SendMessageConfiguration {
  /** Media types the caller can take; absent: any. */
  readonly acceptedOutputModes?: readonly string[];
  /** At most this many newest messages in the answer; absent: all, 0: none. */
  readonly historyLength?: number;
  /** true: answer with the working task at once. Default false: wait until it is terminal or parked (A10). */
  readonly returnImmediately?: boolean;
  /** A webhook of the task that the message starts or goes to (A10). */
  readonly taskPushNotificationConfig?: InlinePushConfig;
}

/** Params of `SendMessage` and `SendStreamingMessage`, 0.3's `message/send` and `message/stream`. */
export interface SendMessageRequest {
  readonly message: Message;
  readonly configuration?: SendMessageConfiguration;
  readonly metadata?: Metadata;
}
