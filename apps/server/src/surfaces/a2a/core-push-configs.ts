/** The protocol's webhooks over the engine's (W1, A16). */
import { invalidParams, type PushNotificationConfig, taskNotFound } from "@agent-service/a2a-protocol";
import type { CallContext, PushConfigs } from "@agent-service/a2a-protocol/server";
import { OPERATOR_CLASS, type PushConfig, type TaskHandle, type Webhooks } from "@agent-service/agent-core/host";
import { protocolError } from "./protocol-error.ts";
import { pushNotificationConfig } from "./webhook-posts.ts";

export interface CorePushConfigsOptions {
  readonly webhooks: Webhooks;
  /** The task, if this caller may see it. */
  readonly find: (taskId: string, call: CallContext) => Promise<TaskHandle | undefined>;
}

/** A config as the engine stores it, with the caller's class and protocol version. */
export function newPushConfig(config: PushNotificationConfig, call: CallContext, context: string): PushConfig {
  const { id, taskId, url, token, authentication } = config;
  return {
    task: taskId,
    class: call.caller.class,
    id,
    context,
    version: call.version,
    url,
    ...(token !== undefined && { token }),
    ...(authentication && { authentication }),
  };
}

/** An offset in a list of at most a few dozen. */
function offsetOf(pageToken: string | undefined): number {
  if (pageToken === undefined || pageToken === "") return 0;
  if (/^[1-9]\d{0,3}$/.test(pageToken)) return Number(pageToken);
  throw invalidParams("params.pageToken: is not a token this agent gave out");
}

/** Webhooks of tasks. A class sees its own, the operator all. */
export function corePushConfigs({ webhooks, find }: CorePushConfigsOptions): PushConfigs {
  /** Configs of the task that this caller may see, its own first where an id is given. */
  async function visible(taskId: string, call: CallContext): Promise<readonly PushConfig[]> {
    if ((await find(taskId, call)) === undefined) throw taskNotFound(taskId);
    const all = await webhooks.list(taskId);
    return call.caller.class === OPERATOR_CLASS ? all : all.filter((config) => config.class === call.caller.class);
  }

  async function named(taskId: string, id: string, call: CallContext): Promise<PushConfig | undefined> {
    const found = (await visible(taskId, call)).filter((config) => config.id === id);
    return found.find((config) => config.class === call.caller.class) ?? found[0];
  }

  return {
    async set(config, call) {
      const task = await find(config.taskId, call);
      if (task === undefined) throw taskNotFound(config.taskId);
      try {
        await webhooks.set(newPushConfig(config, call, task.view.context));
      } catch (error) {
        throw protocolError(error, config.taskId);
      }
      return config;
    },
    async get(taskId, id, call) {
      const config = await named(taskId, id, call);
      return config === undefined ? undefined : pushNotificationConfig(config);
    },
    async list(taskId, { pageSize, pageToken }, call) {
      const from = offsetOf(pageToken);
      const all = await visible(taskId, call);
      const to = pageSize === undefined ? all.length : from + pageSize;
      return {
        configs: all.slice(from, to).map(pushNotificationConfig),
        ...(to < all.length && { nextPageToken: String(to) }),
      };
    },
    async delete(taskId, id, call) {
      const config = await named(taskId, id, call);
      if (config === undefined) return;
      try {
        await webhooks.remove(config);
      } catch (error) {
        throw protocolError(error, taskId);
      }
    },
  };
}
