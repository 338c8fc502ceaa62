/** How one version of the protocol names and shapes requests and responses. */
import { A2AError } from "../error/index.ts";
import type { SendMessageRequest } from "../message/index.ts";
import type {
  ListPushConfigsRequest,
  ListPushConfigsResponse,
  PushNotificationConfig,
  SetPushConfigRequest,
} from "../push/index.ts";
import type { StreamResponse } from "../stream/index.ts";
import type { ListTasksResponse } from "../task/index.ts";
import { frameFromWire, pushConfigFromWire, pushConfigToWire, sendParamsToWire } from "../v0-3/index.ts";
import {
  frameFromWire as frameFromV10,
  pushConfigFromWire as pushConfigFromV10,
  pushConfigsFromWire as pushConfigsFromV10,
  tasksFromWire as tasksFromV10,
} from "../v1-0/index.ts";

/** A version as the client uses it. Another version is another value of this type, chosen in `choose-endpoint.ts`. */
export interface ClientDialect {
  /** Major and minor, as cards name it. */
  readonly version: string;
  readonly methods: {
    readonly send: string;
    readonly stream: string;
    readonly get: string;
    readonly cancel: string;
    readonly subscribe: string;
    readonly setPushConfig: string;
    readonly getPushConfig: string;
    readonly listPushConfigs: string;
    readonly deletePushConfig: string;
  };
  sendParams(request: SendMessageRequest): object;
  setPushConfigParams(request: SetPushConfigRequest): object;
  /** Names a config of a task. */
  pushConfigParams(taskId: string, id: string): object;
  listPushConfigsParams(request: ListPushConfigsRequest): object;
  /** A config as a result. Throws as `frame`. */
  pushConfig(result: unknown): PushNotificationConfig;
  pushConfigs(result: unknown): ListPushConfigsResponse<PushNotificationConfig>;
  /** How tasks are listed; absent: this version does not. `page` throws as `frame`. */
  readonly listTasks?: { readonly method: string; page(result: unknown): ListTasksResponse };
  /**
   * true: a subscription to a task that waits for input begins with that task and stays open, without a further frame
   * about the pause.
   */
  readonly subscriptionsOutlastPauses: boolean;
  /** A result or a stream's frame. Throws `A2AError` INVALID_AGENT_RESPONSE. */
  frame(result: unknown): StreamResponse;
}

/** Version 0.3 over JSON-RPC. */
export const v03ClientDialect: ClientDialect = {
  version: "0.3",
  methods: {
    send: "message/send",
    stream: "message/stream",
    get: "tasks/get",
    cancel: "tasks/cancel",
    subscribe: "tasks/resubscribe",
    setPushConfig: "tasks/pushNotificationConfig/set",
    getPushConfig: "tasks/pushNotificationConfig/get",
    listPushConfigs: "tasks/pushNotificationConfig/list",
    deletePushConfig: "tasks/pushNotificationConfig/delete",
  },
  sendParams: sendParamsToWire,
  setPushConfigParams: ({ taskId, ...config }) => ({ taskId, pushNotificationConfig: pushConfigToWire(config) }),
  pushConfigParams: (taskId, id) => ({ id: taskId, pushNotificationConfigId: id }),
  listPushConfigsParams: ({ taskId }) => ({ id: taskId }),
  pushConfig: pushConfigFromWire,
  pushConfigs(result) {
    if (!Array.isArray(result)) throw new A2AError("INVALID_AGENT_RESPONSE", "The agent's answer is not a list");
    return { configs: result.map(pushConfigFromWire) };
  },
  subscriptionsOutlastPauses: false,
  frame: (result) => frameFromWire(result).frame,
};

/** Version 1.0 over JSON-RPC. What is sent has its shape already. */
export const v10ClientDialect: ClientDialect = {
  version: "1.0",
  methods: {
    send: "SendMessage",
    stream: "SendStreamingMessage",
    get: "GetTask",
    cancel: "CancelTask",
    subscribe: "SubscribeToTask",
    setPushConfig: "CreateTaskPushNotificationConfig",
    getPushConfig: "GetTaskPushNotificationConfig",
    listPushConfigs: "ListTaskPushNotificationConfigs",
    deletePushConfig: "DeleteTaskPushNotificationConfig",
  },
  sendParams: (request) => request,
  setPushConfigParams: (request) => request,
  pushConfigParams: (taskId, id) => ({ taskId, id }),
  listPushConfigsParams: (request) => request,
  pushConfig: pushConfigFromV10,
  pushConfigs: pushConfigsFromV10,
  listTasks: { method: "ListTasks", page: tasksFromV10 },
  subscriptionsOutlastPauses: true,
  frame: frameFromV10,
};
