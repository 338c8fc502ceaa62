/** Validation of 1.0 params (A2A 1.0.1 "Requests and responses", A4, A19). The model has 1.0's shape already. */
import * as v from "valibot";
import { invalidParams } from "../error/index.ts";
import type { Message, Part, SendMessageRequest } from "../message/index.ts";
import { cursorIn, historyLength, metadata, name, names, readParams, required, wellFormed } from "../params/index.ts";
import type { CancelTaskRequest, GetTaskRequest, SubscribeToTaskRequest } from "../task/index.ts";
import { eitherCase } from "./either-case.ts";
import { inlinePushConfig, toPushConfig } from "./push-config.ts";

const part = eitherCase({
  text: v.nullish(v.string()),
  raw: v.nullish(v.string()),
  url: v.nullish(v.string()),
  data: v.optional(v.unknown()),
  metadata,
  filename: name,
  mediaType: name,
});

const message = eitherCase({
  messageId: required,
  role: v.literal("ROLE_USER"),
  parts: v.pipe(v.array(part), v.minLength(1, "must hold at least one part")),
  contextId: name,
  taskId: name,
  metadata,
  extensions: names,
  referenceTaskIds: names,
});

const sendParams = eitherCase({
  message,
  configuration: v.nullish(
    eitherCase({
      acceptedOutputModes: names,
      historyLength,
      returnImmediately: v.nullish(v.boolean()),
      taskPushNotificationConfig: v.nullish(inlinePushConfig),
    }),
  ),
  metadata,
});

const getParams = eitherCase({ id: required, historyLength });
const idParams = eitherCase({ id: required, metadata });

/** Params of SendMessage and SendStreamingMessage. Throws `A2AError` INVALID_PARAMS naming the field. */
export function readSendParams(params: unknown): SendMessageRequest {
  const { message: wireMessage, configuration, metadata: extra } = readParams(sendParams, params);
  const push = configuration?.taskPushNotificationConfig;
  const { acceptedOutputModes: modes, historyLength: length, returnImmediately } = configuration ?? {};
  return {
    message: toMessage(wireMessage),
    ...(configuration && {
      configuration: {
        ...(modes && { acceptedOutputModes: modes }),
        ...(typeof length === "number" && { historyLength: length }),
        ...(returnImmediately && { returnImmediately }),
        ...(push && { taskPushNotificationConfig: toPushConfig(push) }),
      },
    }),
    ...(extra && { metadata: extra }),
  };
}

/** Params of GetTask. Throws `A2AError` INVALID_PARAMS. */
export function readGetParams(params: unknown): GetTaskRequest {
  const { id, historyLength: length } = readParams(getParams, params);
  return typeof length === "number" ? { id, historyLength: length } : { id };
}

/** Params of CancelTask. Throws `A2AError` INVALID_PARAMS. */
export function readCancelParams(params: unknown): CancelTaskRequest {
  const { id, metadata: extra } = readParams(idParams, params);
  return extra ? { id, metadata: extra } : { id };
}

/** Params of SubscribeToTask; the cursor may stand in `metadata.after` (A20). Throws INVALID_PARAMS. */
export function readSubscribeParams(params: unknown): SubscribeToTaskRequest {
  const { id, metadata: extra } = readParams(idParams, params);
  const after = cursorIn(extra);
  return after === undefined ? { id } : { id, after };
}

function toMessage(input: v.InferOutput<typeof message>): Message {
  const { messageId, role, contextId, taskId, metadata: extra, extensions, referenceTaskIds } = input;
  return {
    messageId,
    role,
    parts: input.parts.map(toPart),
    ...(contextId && { contextId }),
    ...(taskId && { taskId }),
    ...(extra && { metadata: extra }),
    ...(extensions && { extensions }),
    ...(referenceTaskIds && { referenceTaskIds }),
  };
}

function toPart(input: v.InferOutput<typeof part>, index: number): Part {
  const { text, raw, url, metadata: extra, filename, mediaType } = input;
  const about = {
    ...(extra && { metadata: extra }),
    ...(filename && { filename }),
    ...(mediaType && { mediaType }),
  };
  const contents: Part[] = [
    ...(typeof text === "string" ? [{ text: wellFormed(text), ...about }] : []),
    ...(typeof raw === "string" ? [{ raw, ...about }] : []),
    ...(typeof url === "string" ? [{ url, ...about }] : []),
    // A null is a value here: protobuf's `Value` has one.
    ...("data" in input ? [{ data: wellFormed(input.data), ...about }] : []),
  ];
  const [content, second] = contents;
  if (content === undefined || second !== undefined) {
    throw invalidParams(`params.message.parts.${index}: needs exactly one of text, raw, url and data`);
  }
  return content;
}
