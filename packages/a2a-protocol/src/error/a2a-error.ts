/**
 * What the protocol calls an error: one class, one table of kinds. The numbers are A4 (A2A 1.0.1 section
 * "Errors", and JSON-RPC 2.0 for the -326xx ones); they are the same under every method name and every binding.
 */

/** Every kind of error this package puts on the wire or reads from it: its number and its default text. */
export const errorKinds = {
  PARSE_ERROR: { code: -32700, text: "The body is not JSON" },
  INVALID_REQUEST: { code: -32600, text: "The body is not a JSON-RPC 2.0 request" },
  METHOD_NOT_FOUND: { code: -32601, text: "Method not found" },
  INVALID_PARAMS: { code: -32602, text: "Invalid parameters" },
  INTERNAL_ERROR: { code: -32603, text: "Internal error" },
  TASK_NOT_FOUND: { code: -32001, text: "Task not found" },
  TASK_NOT_CANCELABLE: { code: -32002, text: "Task cannot be canceled" },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32003, text: "Push notifications are not supported" },
  UNSUPPORTED_OPERATION: { code: -32004, text: "This operation is not supported" },
  CONTENT_TYPE_NOT_SUPPORTED: { code: -32005, text: "Content type not supported" },
  INVALID_AGENT_RESPONSE: { code: -32006, text: "The agent's answer is not a valid A2A response" },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { code: -32007, text: "There is no extended agent card" },
  EXTENSION_SUPPORT_REQUIRED: { code: -32008, text: "A required extension is missing" },
  VERSION_NOT_SUPPORTED: { code: -32009, text: "This protocol version is not supported" },
} as const;

/** Stable name of a kind of error: the `reason` of A2A 1.0's ErrorInfo, and names of our own for the JSON-RPC kinds. */
export type A2AErrorReason = keyof typeof errorKinds;

const reasonsByCode: ReadonlyMap<number, A2AErrorReason> = new Map(
  Object.entries(errorKinds).map(([reason, { code }]) => [code, reason as A2AErrorReason]),
);

/** Members of an `A2AError` besides its message. */
export interface A2AErrorDetails {
  /** JSON value for the caller; never a secret, never a stack. */
  readonly data?: unknown;
  /** For the log only; never sent. */
  readonly cause?: unknown;
}

/**
 * An error of the protocol. Executors throw it for what the caller did wrong; the handler turns it into the JSON-RPC
 * error; the client throws it for errors it received. `message` is shown to the caller.
 */
export class A2AError extends Error {
  override readonly name = "A2AError";
  /** JSON-RPC number, for example -32001. */
  readonly code: number;
  /** Stable name of the kind; `undefined` for a number from the wire that the protocol does not define. */
  readonly reason: A2AErrorReason | undefined;
  readonly data: unknown;

  constructor(kind: A2AErrorReason | number, message?: string, details?: A2AErrorDetails) {
    const reason = typeof kind === "number" ? reasonsByCode.get(kind) : kind;
    super(
      message ?? (reason === undefined ? "Unknown error" : errorKinds[reason].text),
      details?.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = typeof kind === "number" ? kind : errorKinds[kind].code;
    this.reason = reason;
    this.data = details?.data;
  }
}

/** -32602. `message` names the field: "params.message.role: …". */
export function invalidParams(message: string, data?: unknown): A2AError {
  return new A2AError("INVALID_PARAMS", message, { data });
}

/** -32001; also for a task the caller may not see (A16). */
export function taskNotFound(taskId: string): A2AError {
  return new A2AError("TASK_NOT_FOUND", `Task not found: ${taskId}`);
}

/** -32002 for a reply to a prompt that is answered, withdrawn or unknown (A13). */
export function promptNotPending(promptId: string): A2AError {
  return new A2AError("TASK_NOT_CANCELABLE", `The prompt ${promptId} is no longer pending`);
}

/** -32005: the caller sent, or can only take, content this agent does not handle. */
export function contentTypeNotSupported(message: string): A2AError {
  return new A2AError("CONTENT_TYPE_NOT_SUPPORTED", message);
}
