/**
 * The meaning of a request's `messages` (V1). The last message is the input; one that is not a user's asks
 * to continue. In a session, which has its own history, it is the last user message. System text before the first other
 * message, or after the last one, is the caller's instruction for this turn and follows the agent's own persona; in
 * between it is a note at its position. The agent runs tools of its own, so calls of the caller's tools become notes:
 * calls stored as such are calls this agent made.
 */
import type { InputPart, PriorMessage } from "@agent-service/agent-core/host";
import { badRequest } from "./api-error.ts";
import { contentParts, contentText, type Fields, isFields } from "./content-parts.ts";

export interface Conversation {
  /** System text for this turn. */
  readonly instructions?: string;
  /** The messages before the input, without the system text at the start. */
  readonly history: readonly PriorMessage[];
  readonly input: readonly InputPart[];
}

/** Maximum messages of one request. */
export const MAX_MESSAGES = 2_048;
/** Maximum characters of system text: it is stored with the task and sent with each of its model calls. */
export const MAX_INSTRUCTIONS = 256 * 1024;

interface Call {
  readonly name: string;
  readonly args: string;
}

interface ReadMessage extends Fields {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly at: string;
}

function readMessage(message: unknown, index: number): ReadMessage {
  const at = `messages[${index}]`;
  if (!isFields(message)) throw badRequest("A message is an object.", at);
  switch (message.role) {
    case "developer":
      return { ...message, role: "system", at };
    case "function":
      return { ...message, role: "tool", at };
    case "system":
    case "user":
    case "assistant":
    case "tool":
      return { ...message, role: message.role, at };
    default:
      throw badRequest("A role is system, developer, user, assistant or tool.", `${at}.role`);
  }
}

/** Remembers the calls of an assistant's message by id, for the results that follow. */
function rememberCalls(message: ReadMessage, calls: Map<string, Call>): void {
  const made = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  for (const call of made) {
    const { id, function: called } = isFields(call) ? call : {};
    if (typeof id !== "string" || !isFields(called) || typeof called.name !== "string") continue;
    calls.set(id, { name: called.name, args: typeof called.arguments === "string" ? called.arguments : "{}" });
  }
}

function toolNote(message: ReadMessage, calls: ReadonlyMap<string, Call>): string {
  const result = contentText(message.content, `${message.at}.content`);
  const call = typeof message.tool_call_id === "string" ? calls.get(message.tool_call_id) : undefined;
  if (call !== undefined) return `The tool ${call.name}, called with ${call.args}, returned:\n${result}`;
  const name = typeof message.name === "string" ? `The tool ${message.name}` : "A tool";
  return `${name} returned:\n${result}`;
}

/** The text of an assistant's message; blank where it only called tools. */
function assistantText(message: ReadMessage): string {
  const { content = null, refusal, at } = message;
  if (content !== null) return contentText(content, `${at}.content`);
  return typeof refusal === "string" ? refusal : "";
}

/** A message in the engine's form; undefined where it has no text. */
function priorMessage(message: ReadMessage, index: number, calls: Map<string, Call>): PriorMessage | undefined {
  const param = `${message.at}.content`;
  switch (message.role) {
    case "user":
      return { from: "caller", message: { messageId: `prior-${index}`, parts: contentParts(message.content, param) } };
    case "assistant": {
      rememberCalls(message, calls);
      const text = assistantText(message);
      return text === "" ? undefined : { from: "agent", text };
    }
    case "tool":
      return { from: "note", text: toolNote(message, calls) };
    case "system":
      return { from: "note", text: contentText(message.content, param) };
  }
}

function historyOf(messages: readonly ReadMessage[]): PriorMessage[] {
  const calls = new Map<string, Call>();
  return messages
    .map((message, index) => priorMessage(message, index, calls))
    .filter((message) => message !== undefined);
}

function instructionsOf(messages: readonly ReadMessage[]): { instructions?: string } {
  const texts = messages.map((message) => contentText(message.content, `${message.at}.content`));
  const instructions = texts.filter((text) => text.trim() !== "").join("\n\n");
  if (instructions.length > MAX_INSTRUCTIONS) {
    throw badRequest(`System text has at most ${MAX_INSTRUCTIONS} characters.`, "messages", "string_above_max_length");
  }
  return instructions === "" ? {} : { instructions };
}

/** The input where the last message is the agent's own: it may have been cut off, or a tool of its caller ran. */
const GO_ON = "Go on from where you stopped.";

/** A tool's result is the input to continue with. */
function inputOf(last: ReadMessage, history: readonly PriorMessage[]): readonly InputPart[] {
  if (last.role === "user") return contentParts(last.content, `${last.at}.content`);
  const result = history.at(-1);
  return [{ kind: "text", text: last.role === "tool" && result?.from === "note" ? result.text : GO_ON }];
}

/**
 * Reads `messages`. `inSession`: the conversation is stored, and only a user's message adds to it.
 * @throws ApiError 400 naming the field that does not fit
 */
export function readConversation(messages: unknown, inSession = false): Conversation {
  if (!Array.isArray(messages)) throw badRequest("Expected a list of messages.", "messages");
  if (messages.length === 0) throw badRequest("Expected at least one message.", "messages", "empty_array");
  if (messages.length > MAX_MESSAGES) {
    throw badRequest(`At most ${MAX_MESSAGES} messages are taken.`, "messages", "array_above_max_length");
  }
  const read = messages.map(readMessage);
  const lastAt = read.findLastIndex(({ role }) => (inSession ? role === "user" : role !== "system"));
  const last = read[lastAt];
  if (last === undefined) {
    const wanted = inSession ? "a user's message" : "a message that is not the system's";
    throw badRequest(`Expected ${wanted}.`, "messages");
  }
  const firstAt = read.findIndex(({ role }) => role !== "system");
  const untilLast = historyOf(read.slice(firstAt, lastAt + 1));
  // The result of a tool is part of the input; an answer to continue stays the agent's message.
  const history = last.role === "assistant" ? untilLast : untilLast.slice(0, -1);
  const after = read.slice(lastAt + 1).filter(({ role }) => role === "system");
  return {
    ...instructionsOf([...read.slice(0, firstAt), ...after]),
    history,
    input: inputOf(last, untilLast),
  };
}
