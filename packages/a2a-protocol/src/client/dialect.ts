/** How one version of the protocol names and shapes what the client says and hears. */
import type { SendMessageRequest } from "../message/index.ts";
import type { StreamResponse } from "../stream/index.ts";
import { frameFromWire, sendParamsToWire } from "../v0-3/index.ts";
import { frameFromWire as frameFromV10 } from "../v1-0/index.ts";

/** A version as the client speaks it. Another version is another value of this type, chosen in `choose-endpoint.ts`. */
export interface ClientDialect {
  /** Major and minor, as cards name it. */
  readonly version: string;
  readonly methods: {
    readonly send: string;
    readonly stream: string;
    readonly get: string;
    readonly cancel: string;
    readonly subscribe: string;
  };
  sendParams(request: SendMessageRequest): object;
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
  },
  sendParams: sendParamsToWire,
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
  },
  sendParams: (request) => request,
  frame: frameFromV10,
};
