/** Reading JSON-RPC 2.0 responses, for the client. */
import { A2AError } from "../error/index.ts";

/**
 * The result inside a response. Throws the `A2AError` the response carries, and INVALID_AGENT_RESPONSE for what is no
 * JSON-RPC response. `text` is taken as bounded by the caller.
 */
export function resultOf(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new A2AError("INVALID_AGENT_RESPONSE", "The agent's answer is not JSON", { cause });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new A2AError("INVALID_AGENT_RESPONSE", "The agent's answer is not a JSON-RPC response");
  }
  const { error, result } = body as { error?: unknown; result?: unknown };
  if (error !== undefined && error !== null) throw errorFrom(error);
  if (result === undefined) {
    throw new A2AError("INVALID_AGENT_RESPONSE", "The agent's answer has neither result nor error");
  }
  return result;
}

function errorFrom(error: unknown): A2AError {
  const { code, message, data } = (typeof error === "object" ? error : {}) as Record<string, unknown>;
  if (typeof code !== "number") {
    return new A2AError("INVALID_AGENT_RESPONSE", "The agent's error has no code", { data: error });
  }
  return new A2AError(code, typeof message === "string" ? message : undefined, { data });
}
