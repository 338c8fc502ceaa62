/** Reading JSON-RPC 2.0 requests (B16, A4). */
import { A2AError } from "../error/index.ts";
import { parseJson } from "./parse-json.ts";

/** Longest id, in characters: every event of a stream repeats it. */
const MAX_ID = 1024;

/** A request that is a JSON-RPC request; its params are not looked at yet. */
export interface JsonRpcRequest {
  /** The caller's id as JSON text, ready for an envelope; `null` where the caller gave none. */
  readonly idJson: string;
  readonly method: string;
  readonly params: unknown;
  /** The request has no `id` member: it is carried out and not answered (JSON-RPC 2.0, "Notification"). */
  readonly isNotification: boolean;
}

/** A body that is no request, with the id to answer under. */
export interface UnreadableRequest {
  readonly idJson: string;
  readonly error: A2AError;
}

/**
 * Reads one request. Never throws: what cannot be read comes back as the error to answer with, under the id `null` where
 * the body names none that can be repeated.
 */
export function parseRequest(text: string): JsonRpcRequest | UnreadableRequest {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch (error) {
    return { idJson: "null", error: error instanceof A2AError ? error : new A2AError("PARSE_ERROR") };
  }
  if (Array.isArray(body)) return refused("null", "Batches are not supported");
  if (typeof body !== "object" || body === null) return refused("null", "A request is a JSON object");
  const { id = null, jsonrpc, method, params } = body as Record<string, unknown>;
  if (id !== null && typeof id !== "string" && typeof id !== "number") {
    return refused("null", "id must be a string, a number or null");
  }
  if (typeof id === "string" && id.length > MAX_ID) return refused("null", `id must be at most ${MAX_ID} characters`);
  const idJson = JSON.stringify(id);
  if (jsonrpc !== "2.0") return refused(idJson, 'jsonrpc must be "2.0"');
  if (typeof method !== "string" || method === "") return refused(idJson, "method must be a non-empty string");
  return { idJson, method, params, isNotification: !Object.hasOwn(body, "id") };
}

function refused(idJson: string, message: string): UnreadableRequest {
  return { idJson, error: new A2AError("INVALID_REQUEST", message) };
}
