import { v1Card } from "../agent-card/index.ts";
import {
  createTaskWriter,
  errorDetails,
  readCancelParams,
  readGetParams,
  readSendParams,
  readSubscribeParams,
} from "../v1-0/index.ts";
import type { Dialect, Operation } from "./dialect.ts";

const methods: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["SendMessage", "send"],
  ["SendStreamingMessage", "stream"],
  ["GetTask", "get"],
  ["ListTasks", "list"],
  ["CancelTask", "cancel"],
  ["SubscribeToTask", "subscribe"],
  ["GetExtendedAgentCard", "card"],
  ["CreateTaskPushNotificationConfig", "push"],
  ["GetTaskPushNotificationConfig", "push"],
  ["ListTaskPushNotificationConfigs", "push"],
  ["DeleteTaskPushNotificationConfig", "push"],
]);

/** Version 1.0 (A2A 1.0.1 "Methods"). Its writer remembers texts, so one dialect serves one handler. */
export function createV10Dialect(): Dialect {
  const { task, wrapped, frame } = createTaskWriter();
  return {
    version: "1.0",
    methods,
    read: { send: readSendParams, get: readGetParams, cancel: readCancelParams, subscribe: readSubscribeParams },
    extensionsHeader: "a2a-extensions",
    task,
    sent: wrapped,
    frame,
    card: (card) => JSON.stringify(v1Card(card)),
    errorData: errorDetails,
  };
}
