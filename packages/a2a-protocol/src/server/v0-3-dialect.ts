import {
  createFrameWriter,
  readCancelParams,
  readGetParams,
  readResubscribeParams,
  readSendParams,
} from "../v0-3/index.ts";
import type { Dialect, DialectMethod } from "./dialect.ts";

const push: DialectMethod = { operation: "push" };

const methods: ReadonlyMap<string, DialectMethod> = new Map<string, DialectMethod>([
  ["message/send", { operation: "send", read: readSendParams }],
  ["message/stream", { operation: "stream", read: readSendParams }],
  ["tasks/get", { operation: "get", read: readGetParams }],
  ["tasks/cancel", { operation: "cancel", read: readCancelParams }],
  ["tasks/resubscribe", { operation: "subscribe", read: readResubscribeParams }],
  ["agent/getAuthenticatedExtendedCard", { operation: "card" }],
  ["tasks/pushNotificationConfig/set", push],
  ["tasks/pushNotificationConfig/get", push],
  ["tasks/pushNotificationConfig/list", push],
  ["tasks/pushNotificationConfig/delete", push],
]);

/** Version 0.3 (document 1 "JSON-RPC methods"). Its writer remembers texts, so one dialect serves one handler. */
export function createV03Dialect(): Dialect {
  return { version: "0.3", methods, ...createFrameWriter() };
}
