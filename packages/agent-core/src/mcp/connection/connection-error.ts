import { CodedError } from "../../error/index.ts";

/**
 * - `not_sent`: the server knows nothing of the request; it can be made again on a new connection.
 * - `lost`: the request may have been received, and no answer will come.
 * - `auth`: the server wants a credential that it was not given.
 * - `timeout`: no answer within the time.
 * - `server`: the server, or the protocol, answered with an error; the message says it.
 */
export type ConnectionErrorCode = "not_sent" | "lost" | "auth" | "timeout" | "server";

/** A request to a server that has no result. The message is one sentence without addresses or secrets of ours. */
export class ConnectionError extends CodedError<ConnectionErrorCode> {
  override readonly name = "ConnectionError";
}

/** The server answered something that the protocol does not know. */
export class UnreadableAnswerError extends ConnectionError {
  constructor(message: string) {
    super("server", message);
  }
}

/** The server answered a request with an error of the protocol. */
export class ServerError extends ConnectionError {
  /** JSON-RPC's. */
  readonly rpcCode: number;

  constructor(message: string, rpcCode: number) {
    super("server", message);
    this.rpcCode = rpcCode;
  }
}
