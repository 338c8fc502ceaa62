import type { PushNotificationConfig, SetPushConfigRequest } from "../push/index.ts";
import type { ClientDialect } from "./dialect.ts";
import type { JsonRpcTransport } from "./json-rpc-transport.ts";

/** The webhooks of an agent's tasks. What is read holds no secret. */
export interface RemotePushConfigs {
  /** Registers a webhook, or replaces the one of the same id. Without an id it goes by the task's. */
  set(config: SetPushConfigRequest, options?: { readonly signal?: AbortSignal }): Promise<PushNotificationConfig>;
  /** `id`: default the task's own. Rejects with `A2AError` -32001 where there is none. */
  get(taskId: string, id?: string, options?: { readonly signal?: AbortSignal }): Promise<PushNotificationConfig>;
  /** All configs of a task, page after page. */
  list(taskId: string, options?: { readonly signal?: AbortSignal }): Promise<readonly PushNotificationConfig[]>;
  /** Removes a config; one that is not there is removed already. `id`: default the task's own. */
  delete(taskId: string, id?: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** Most pages of one task's configs that are worth asking for. */
const MAX_PAGES = 100;

/** The webhooks of an agent's tasks over a transport. */
export function remotePushConfigs(dialect: ClientDialect, transport: JsonRpcTransport): RemotePushConfigs {
  const { methods } = dialect;
  return {
    async set(config, { signal } = {}) {
      return dialect.pushConfig(
        await transport.call(methods.setPushConfig, dialect.setPushConfigParams(config), { signal }),
      );
    },
    async get(taskId, id = taskId, { signal } = {}) {
      return dialect.pushConfig(
        await transport.call(methods.getPushConfig, dialect.pushConfigParams(taskId, id), { signal }),
      );
    },
    async list(taskId, { signal } = {}) {
      const all: PushNotificationConfig[] = [];
      let pageToken: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const params = dialect.listPushConfigsParams({ taskId, ...(pageToken !== undefined && { pageToken }) });
        const { configs, nextPageToken } = dialect.pushConfigs(
          await transport.call(methods.listPushConfigs, params, { signal }),
        );
        all.push(...configs);
        if (nextPageToken === undefined) break;
        pageToken = nextPageToken;
      }
      return all;
    },
    async delete(taskId, id = taskId, { signal } = {}) {
      await transport.call(methods.deletePushConfig, dialect.pushConfigParams(taskId, id), { signal });
    },
  };
}
