/** Webhooks on the 0.3 wire (B21, A2A 0.3.0, W1), both ways. */
import * as v from "valibot";
import { invalidParams } from "../error/index.ts";
import { authenticationScheme, name, readParams, required, secret, webhookUrl } from "../params/index.ts";
import type {
  InlinePushConfig,
  ListPushConfigsRequest,
  PushConfigRequest,
  PushNotificationConfig,
  SetPushConfigRequest,
} from "../push/index.ts";
import type { WirePushConfig, WireTaskPushConfig } from "./wire.ts";

/** The config inside a `set`, and inside the configuration of a send. */
export const pushConfig = v.object({
  id: name,
  url: webhookUrl,
  token: secret,
  authentication: v.nullish(
    v.object({
      schemes: v.nullish(v.pipe(v.array(authenticationScheme), v.maxLength(16))),
      credentials: secret,
    }),
  ),
});

const setParams = v.object({ taskId: required, pushNotificationConfig: pushConfig });
// The task goes by either name: `id` is the standard's, `taskId` the one that `set` has (W1).
const configParams = v.object({ taskId: name, id: name, pushNotificationConfigId: name });

/** Params of `tasks/pushNotificationConfig/set`. Throws `A2AError` INVALID_PARAMS. */
export function readSetPushParams(params: unknown): SetPushConfigRequest {
  const { taskId, pushNotificationConfig } = readParams(setParams, params);
  return { ...toPushConfig(pushNotificationConfig), taskId };
}

/**
 * Params of `tasks/pushNotificationConfig/get` and `/delete`: the task as `taskId` or `id`, and its config as
 * `pushNotificationConfigId`, or as `id` beside `taskId`. Throws `A2AError` INVALID_PARAMS.
 */
export function readPushConfigParams(params: unknown): PushConfigRequest {
  const { taskId, id, pushNotificationConfigId } = readParams(configParams, params);
  const task = taskId || id;
  if (!task) throw invalidParams("params.id: must name the task");
  const config = pushNotificationConfigId || (taskId ? id : undefined);
  return { taskId: task, ...(config && { id: config }) };
}

/** Params of `tasks/pushNotificationConfig/list`. Throws `A2AError` INVALID_PARAMS. */
export function readListPushParams(params: unknown): ListPushConfigsRequest {
  return { taskId: readPushConfigParams(params).taskId };
}

/** The model of a config that was read. */
export function toPushConfig({ id, url, token, authentication }: v.InferOutput<typeof pushConfig>): InlinePushConfig {
  const { schemes, credentials } = authentication ?? {};
  return {
    ...(id && { id }),
    url,
    ...(token && { token }),
    ...(authentication && {
      authentication: { scheme: schemeAmong(schemes ?? []), ...(credentials && { credentials }) },
    }),
  };
}

/** A config without its secrets, or with them where a client registers it. */
export function pushConfigToWire({ id, url, token, authentication }: InlinePushConfig): WirePushConfig {
  const { scheme, credentials } = authentication ?? {};
  return {
    url,
    ...(id !== undefined && { id }),
    ...(token !== undefined && { token }),
    ...(scheme !== undefined && { authentication: { schemes: [scheme], ...(credentials && { credentials }) } }),
  };
}

/** A config as what `set` and `get` answer. */
export function taskPushConfigToWire(config: PushNotificationConfig): WireTaskPushConfig {
  return { taskId: config.taskId, pushNotificationConfig: pushConfigToWire(config) };
}

/** The bearer scheme where it is offered or nothing is, else the first. */
function schemeAmong(schemes: readonly string[]): string {
  return schemes.find((scheme) => scheme.toLowerCase() === "bearer") ?? schemes[0] ?? "Bearer";
}
