/** Params of 0.3 requests, for the client. */
import type { SendMessageRequest } from "../message/index.ts";
import { pushConfigToWire } from "./push-config.ts";
import { messageToWire } from "./to-wire.ts";

/** Params of `message/send` and `message/stream`. `blocking` is always set: 0.3 leaves the default to the agent. */
export function sendParamsToWire({ message, configuration, metadata }: SendMessageRequest): object {
  const {
    acceptedOutputModes,
    historyLength,
    returnImmediately,
    taskPushNotificationConfig: push,
  } = configuration ?? {};
  return {
    message: messageToWire(message),
    configuration: {
      blocking: returnImmediately !== true,
      ...(acceptedOutputModes && { acceptedOutputModes }),
      ...(historyLength !== undefined && { historyLength }),
      ...(push && { pushNotificationConfig: pushConfigToWire(push) }),
    },
    ...(metadata && { metadata }),
  };
}
