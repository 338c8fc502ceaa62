/** Webhooks on the 1.0 wire (A2A 1.0.1 "TaskPushNotificationConfig", W1): the model's shape, checked. */
import * as v from "valibot";
import { authenticationScheme, name, pageSize, readParams, required, secret, webhookUrl } from "../params/index.ts";
import type {
  InlinePushConfig,
  ListPushConfigsRequest,
  PushConfigRequest,
  SetPushConfigRequest,
} from "../push/index.ts";
import { eitherCase } from "./either-case.ts";

const fields = {
  id: name,
  url: webhookUrl,
  token: secret,
  authentication: v.nullish(eitherCase({ scheme: authenticationScheme, credentials: secret })),
};

/** The config inside the configuration of a send; its task is the one the message goes to. */
export const inlinePushConfig = eitherCase(fields);

const setParams = eitherCase({ ...fields, taskId: required });
const configParams = eitherCase({ taskId: required, id: required });
const listParams = eitherCase({ taskId: required, pageSize, pageToken: name });

/** Params of CreateTaskPushNotificationConfig. Throws `A2AError` INVALID_PARAMS. */
export function readSetPushParams(params: unknown): SetPushConfigRequest {
  const { taskId, ...config } = readParams(setParams, params);
  return { ...toPushConfig(config), taskId };
}

/** Params of GetTaskPushNotificationConfig and DeleteTaskPushNotificationConfig. Throws `A2AError` INVALID_PARAMS. */
export function readPushConfigParams(params: unknown): PushConfigRequest {
  return readParams(configParams, params);
}

/** Params of ListTaskPushNotificationConfigs. Throws `A2AError` INVALID_PARAMS. */
export function readListPushParams(params: unknown): ListPushConfigsRequest {
  const { taskId, pageSize: size, pageToken } = readParams(listParams, params);
  return { taskId, ...(typeof size === "number" && { pageSize: size }), ...(pageToken && { pageToken }) };
}

/** The model of a config that was read; what is empty was not given. */
export function toPushConfig({
  id,
  url,
  token,
  authentication,
}: v.InferOutput<typeof inlinePushConfig>): InlinePushConfig {
  const { scheme, credentials } = authentication ?? {};
  return {
    ...(id && { id }),
    url,
    ...(token && { token }),
    ...(scheme !== undefined && { authentication: { scheme, ...(credentials && { credentials }) } }),
  };
}
