import {
  createFrameWriter,
  readCancelParams,
  readGetParams,
  readResubscribeParams,
  readSendParams,
} from "../v0-3/index.ts";
import type { Dialect, Operation } from "./dialect.ts";

const methods: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["message/send", "send"],
  ["message/stream", "stream"],
  ["tasks/get", "get"],
  ["tasks/cancel", "cancel"],
  ["tasks/resubscribe", "subscribe"],
  ["agent/getAuthenticatedExtendedCard", "card"],
  ["tasks/pushNotificationConfig/set", "push"],
  ["tasks/pushNotificationConfig/get", "push"],
  ["tasks/pushNotificationConfig/list", "push"],
  ["tasks/pushNotificationConfig/delete", "push"],
]);

/** Version 0.3 (document 1 "JSON-RPC methods"). Its writer remembers texts, so one dialect serves one handler. */
export function createV03Dialect(): Dialect {
  const { task, frame } = createFrameWriter();
  return {
    version: "0.3",
    methods,
    read: { send: readSendParams, get: readGetParams, cancel: readCancelParams, subscribe: readResubscribeParams },
    extensionsHeader: "x-a2a-extensions",
    task,
    sent: task,
    frame,
    card: (card) => JSON.stringify(card),
    errorData: (error) => error.data,
  };
}
