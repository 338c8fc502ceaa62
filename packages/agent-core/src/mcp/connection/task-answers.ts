/**
 * Answers that are a task (the tasks extension): a server answers a call with a handle, and the result is asked for later.
 * The SDK takes such an answer for an error and drops it, so it is read before.
 */
import { randomUUID } from "node:crypto";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../json/index.ts";

/** How clients say that they can follow tasks. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** Where such an answer stands in what the SDK hands on; a name that no server can guess. */
const TASK = randomUUID();

function withTaskKept(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const { result } = message;
  if (typeof result !== "object" || result === null || result.resultType !== "task") return message;
  return { ...message, result: { resultType: "complete", content: [], [TASK]: result } };
}

/** Lets answers that are a task through the SDK. */
export function keepingTasks(transport: Transport): Transport {
  let receive: Transport["onmessage"];
  return Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () => receive && ((message: JSONRPCMessage, extra?: never) => receive?.(withTaskKept(message), extra)),
    set: (handler: Transport["onmessage"]) => {
      receive = handler;
    },
  });
}

/** The task that a result is; undefined: it is none. */
export function taskOf(result: JsonObject): JsonObject | undefined {
  return result[TASK] as JsonObject | undefined;
}
