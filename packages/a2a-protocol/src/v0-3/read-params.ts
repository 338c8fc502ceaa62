/** Validation of 0.3 params (B13, A4, A19), translated to the 1.0-shaped requests. */
import * as v from "valibot";
import { invalidParams } from "../error/index.ts";
import type { Message, Part, SendMessageRequest } from "../message/index.ts";
import {
  cursorIn,
  historyLength,
  isPlainObject,
  metadata,
  name,
  names,
  readParams as read,
  required as taskId,
  wellFormed,
} from "../params/index.ts";
import type { CancelTaskRequest, GetTaskRequest, SubscribeToTaskRequest } from "../task/index.ts";
import { pushConfig, toPushConfig } from "./push-config.ts";

const part = v.variant("kind", [
  v.object({ kind: v.optional(v.literal("text")), text: v.string(), metadata }),
  v.object({
    kind: v.literal("file"),
    file: v.object({ bytes: v.nullish(v.string()), uri: v.nullish(v.string()), name, mimeType: name }),
    metadata,
  }),
  v.object({
    kind: v.literal("data"),
    data: v.custom<Record<string, unknown>>(isPlainObject, "must be an object"),
    mimeType: name,
    metadata,
  }),
]);

const message = v.object({
  kind: v.nullish(v.literal("message")),
  messageId: name,
  role: v.literal("user"),
  parts: v.pipe(v.array(part), v.minLength(1, "must hold at least one part")),
  contextId: name,
  taskId: name,
  metadata,
  extensions: names,
  referenceTaskIds: names,
});

const sendParams = v.object({
  message,
  configuration: v.nullish(
    v.object({
      acceptedOutputModes: names,
      historyLength,
      blocking: v.nullish(v.boolean()),
      pushNotificationConfig: v.nullish(pushConfig),
    }),
  ),
  metadata,
});

const getParams = v.object({ id: taskId, historyLength });
const idParams = v.object({ id: taskId, metadata });

/** Params of `message/send` and `message/stream`. Throws `A2AError` INVALID_PARAMS naming the field. */
export function readSendParams(params: unknown): SendMessageRequest {
  const input = read(sendParams, params);
  const { configuration } = input;
  const push = configuration?.pushNotificationConfig;
  return {
    message: toMessage(input.message),
    ...(configuration && {
      configuration: {
        ...(configuration.acceptedOutputModes && { acceptedOutputModes: configuration.acceptedOutputModes }),
        ...(typeof configuration.historyLength === "number" && { historyLength: configuration.historyLength }),
        ...(configuration.blocking === false && { returnImmediately: true }),
        ...(push && { taskPushNotificationConfig: toPushConfig(push) }),
      },
    }),
    ...(input.metadata && { metadata: input.metadata }),
  };
}

/** Params of `tasks/get`. Throws `A2AError` INVALID_PARAMS. */
export function readGetParams(params: unknown): GetTaskRequest {
  const { id, historyLength: length } = read(getParams, params);
  return typeof length === "number" ? { id, historyLength: length } : { id };
}

/** Params of `tasks/cancel`. Throws `A2AError` INVALID_PARAMS. */
export function readCancelParams(params: unknown): CancelTaskRequest {
  const { id, metadata: extra } = read(idParams, params);
  return extra ? { id, metadata: extra } : { id };
}

/** Params of `tasks/resubscribe`; the cursor may stand in `metadata.after` (A20). Throws INVALID_PARAMS. */
export function readResubscribeParams(params: unknown): SubscribeToTaskRequest {
  const { id, metadata: extra } = read(idParams, params);
  const after = cursorIn(extra);
  return after === undefined ? { id } : { id, after };
}

function toMessage(input: v.InferOutput<typeof message>): Message {
  const { messageId, contextId, taskId: task, extensions, referenceTaskIds } = input;
  if (!messageId && input.kind === "message") {
    throw invalidParams("params.message.messageId: a message that names its kind needs one");
  }
  return {
    messageId: messageId || crypto.randomUUID(),
    role: "ROLE_USER",
    parts: input.parts.map(toPart),
    ...(contextId && { contextId }),
    ...(task && { taskId: task }),
    ...(input.metadata && { metadata: input.metadata }),
    ...(extensions && { extensions }),
    ...(referenceTaskIds && { referenceTaskIds }),
  };
}

function toPart(input: v.InferOutput<typeof part>, index: number): Part {
  const extra = input.metadata ? { metadata: input.metadata } : undefined;
  if (input.kind === "data") {
    const mediaType = input.mimeType ?? input.metadata?.mimeType;
    return { data: wellFormed(input.data), ...(typeof mediaType === "string" && { mediaType }), ...extra };
  }
  if (input.kind !== "file") return { text: wellFormed(input.text), ...extra };
  const { bytes, uri, name: filename, mimeType: mediaType } = input.file;
  const named = { ...(filename && { filename }), ...(mediaType && { mediaType }), ...extra };
  if (typeof bytes === "string" && typeof uri !== "string") return { raw: bytes, ...named };
  if (typeof uri === "string" && typeof bytes !== "string") return { url: uri, ...named };
  throw invalidParams(`params.message.parts.${index}.file: needs exactly one of bytes and uri`);
}
