/** A request for a chat completion, read from its body and headers (V1). */
import { MAX_REQUEST_KEY_CHARS, type RequestKey, requestKey } from "@agent-service/agent-core/host";
import { type AnswerOptions, readAnswerOptions } from "./answer-options.ts";
import { ApiError, badRequest } from "./api-error.ts";
import { type Fields, isFields } from "./content-parts.ts";
import { type Conversation, readConversation } from "./conversation.ts";
import { unservedFields } from "./unserved-fields.ts";

export interface ChatRequest {
  /** As it was sent; undefined: the agent's own model. */
  readonly model?: string;
  /** The context to continue; undefined: the messages are the conversation. */
  readonly session?: string;
  readonly stream: boolean;
  /** A last chunk has the usage. */
  readonly includeUsage: boolean;
  readonly conversation: Conversation;
  readonly answer: AnswerOptions;
  /** Names of fields that are ignored. */
  readonly ignored: readonly string[];
  /** A15. */
  readonly key?: RequestKey;
}

/** Longest session id and key, in characters: as for a context's id on every surface (A16). */
const MAX_SESSION = 1024;
const MAX_MODEL = 256;

/** True for a name that every store and header can hold. */
function isName(value: unknown, max: number): value is string {
  return typeof value === "string" && value.length <= max && value.isWellFormed() && !/\p{Cc}/u.test(value);
}

function optionalName(value: unknown, param: string, max: number): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (isName(value, max)) return value;
  throw badRequest(`Expected a string of at most ${max} characters, none a control.`, param);
}

function flag(value: unknown, param: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw badRequest("Expected true or false.", param);
  return value;
}

function sessionOf(body: Fields, headers: Headers): string | undefined {
  return (
    optionalName(body.session_id, "session_id", MAX_SESSION) ??
    optionalName(headers.get("x-session-id"), "X-Session-Id", MAX_SESSION)
  );
}

/** The key with a digest of the request. Whether the answer is streamed is not part of it. */
function keyOf(headers: Headers, asked: readonly unknown[]): { key?: RequestKey } {
  const key = headers.get("idempotency-key");
  if (key === null) return {};
  if (key === "" || !isName(key, MAX_REQUEST_KEY_CHARS)) {
    throw badRequest(`Expected 1 to ${MAX_REQUEST_KEY_CHARS} characters, none a control.`, "Idempotency-Key");
  }
  // The surface is part of it: the same key on another surface is a different request.
  return { key: requestKey(key, ["v1", ...asked]) };
}

/** Reads a request. Unknown fields are ignored. @throws ApiError 400 */
export function readChatRequest(body: unknown, headers: Headers): ChatRequest {
  if (!isFields(body)) throw new ApiError(400, "The body must be a JSON object.");
  const ignored = unservedFields(body);
  const options = body.stream_options ?? {};
  if (!isFields(options)) throw badRequest("Expected an object.", "stream_options");
  const model = optionalName(body.model, "model", MAX_MODEL);
  const session = sessionOf(body, headers);
  const answer = readAnswerOptions(body);
  const asked = [model, session, body.messages];
  return {
    ...(model === undefined ? {} : { model }),
    ...(session === undefined ? {} : { session }),
    stream: flag(body.stream, "stream"),
    includeUsage: flag(options.include_usage, "stream_options.include_usage"),
    conversation: readConversation(body.messages, session !== undefined),
    answer,
    ignored,
    ...keyOf(headers, Object.keys(answer).length === 0 ? asked : [...asked, answer]),
  };
}
