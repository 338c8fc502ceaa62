import type { Message, Metadata, Part, SendMessageRequest } from "../message/index.ts";
import type { InlinePushConfig } from "../push/index.ts";

/** A caller's message: text, or parts with metadata of the message. */
export type MessageInput = string | { readonly parts: readonly Part[]; readonly metadata?: Metadata };

/** What a message carries besides its parts. */
export interface MessageOptions {
  /** The conversation to join; absent: a new one. */
  readonly contextId?: string;
  /** The task the message is for: the reply to a parked one. */
  readonly taskId?: string;
  /** Request metadata: `skill`, `model` and others, B13. */
  readonly metadata?: Metadata;
  /**
   * Makes a repeated request the same task (A15). The client makes one by itself for agents that declare
   * `idempotency-v1`, and repeats a request that broke off only for those.
   */
  readonly idempotencyKey?: string;
  readonly acceptedOutputModes?: readonly string[];
  readonly historyLength?: number;
  /** A webhook of the task, registered with the message. Its secrets go to the agent. */
  readonly pushConfig?: InlinePushConfig;
  readonly signal?: AbortSignal;
}

/** The request behind an input. */
export function requestFor(
  input: MessageInput,
  options: MessageOptions,
  returnImmediately = false,
): SendMessageRequest {
  const { contextId, taskId, metadata, acceptedOutputModes, historyLength, pushConfig } = options;
  const message: Message = {
    messageId: crypto.randomUUID(),
    role: "ROLE_USER",
    parts: typeof input === "string" ? [{ text: input }] : input.parts,
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    ...(typeof input !== "string" && input.metadata && { metadata: input.metadata }),
  };
  return {
    message,
    configuration: {
      ...(acceptedOutputModes && { acceptedOutputModes }),
      ...(historyLength !== undefined && { historyLength }),
      ...(returnImmediately && { returnImmediately }),
      ...(pushConfig && { taskPushNotificationConfig: pushConfig }),
    },
    ...(metadata && { metadata }),
  };
}
