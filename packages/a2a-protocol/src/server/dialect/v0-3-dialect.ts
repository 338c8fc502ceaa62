import {
  createFrameWriter,
  readCancelParams,
  readGetParams,
  readListPushParams,
  readListTasksParams,
  readPushConfigParams,
  readResubscribeParams,
  readSendParams,
  readSetPushParams,
  taskPushConfigToWire,
  taskToWire,
} from "../../v0-3/index.ts";
import type { Dialect, Operation } from "./dialect.ts";

const methods: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["message/send", "send"],
  ["message/stream", "stream"],
  ["tasks/get", "get"],
  ["tasks/cancel", "cancel"],
  ["tasks/resubscribe", "subscribe"],
  ["agent/getAuthenticatedExtendedCard", "card"],
  ["tasks/pushNotificationConfig/set", "push-set"],
  ["tasks/pushNotificationConfig/get", "push-get"],
  ["tasks/pushNotificationConfig/list", "push-list"],
  ["tasks/pushNotificationConfig/delete", "push-delete"],
]);

/** Version 0.3 (B16). Its writer remembers texts, so one dialect serves one handler. */
export function createV03Dialect(): Dialect {
  const { task, frame } = createFrameWriter();
  return {
    version: "0.3",
    methods,
    streamsErrors: true,
    read: {
      send: readSendParams,
      get: readGetParams,
      cancel: readCancelParams,
      subscribe: readResubscribeParams,
      list: readListTasksParams,
      pushSet: readSetPushParams,
      pushConfig: readPushConfigParams,
      pushList: readListPushParams,
    },
    extensionsHeader: "x-a2a-extensions",
    task,
    sent: task,
    frame,
    // Listing exists over HTTP+JSON alone, where its answer is an array.
    tasks: ({ tasks }) => JSON.stringify(tasks.map((one) => taskToWire(one))),
    pushConfig: (config) => JSON.stringify(taskPushConfigToWire(config)),
    pushConfigs: ({ configs }) => JSON.stringify(configs.map(taskPushConfigToWire)),
    removed: "null",
    card: (card) => JSON.stringify(card),
    errorData: (error) => error.data,
  };
}
