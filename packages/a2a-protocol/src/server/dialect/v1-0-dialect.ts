import { v1Card } from "../../agent-card/index.ts";
import {
  createTaskWriter,
  errorDetails,
  readCancelParams,
  readGetParams,
  readListPushParams,
  readListTasksParams,
  readPushConfigParams,
  readSendParams,
  readSetPushParams,
  readSubscribeParams,
} from "../../v1-0/index.ts";
import type { Dialect, Operation } from "./dialect.ts";

const methods: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["SendMessage", "send"],
  ["SendStreamingMessage", "stream"],
  ["GetTask", "get"],
  ["ListTasks", "list"],
  ["CancelTask", "cancel"],
  ["SubscribeToTask", "subscribe"],
  ["GetExtendedAgentCard", "card"],
  ["CreateTaskPushNotificationConfig", "push-set"],
  ["GetTaskPushNotificationConfig", "push-get"],
  ["ListTaskPushNotificationConfigs", "push-list"],
  ["DeleteTaskPushNotificationConfig", "push-delete"],
]);

/** Version 1.0 (A2A 1.0.1 "Methods"). Its writer remembers texts, so one dialect serves one handler. */
export function createV10Dialect(): Dialect {
  const { task, wrapped, frame } = createTaskWriter();
  return {
    version: "1.0",
    methods,
    streamsErrors: false,
    read: {
      send: readSendParams,
      get: readGetParams,
      cancel: readCancelParams,
      subscribe: readSubscribeParams,
      list: readListTasksParams,
      pushSet: readSetPushParams,
      pushConfig: readPushConfigParams,
      pushList: readListPushParams,
    },
    extensionsHeader: "a2a-extensions",
    task,
    sent: wrapped,
    frame,
    tasks: (page) => JSON.stringify(page),
    pushConfig: (config) => JSON.stringify(config),
    pushConfigs: (page) => JSON.stringify(page),
    removed: "{}",
    card: (card) => JSON.stringify(v1Card(card)),
    errorData: errorDetails,
  };
}
