/** A conversation that a caller brings along, as the engine stores it (V1). */
import { inputContent, messageBody, type StoredMessage, UnsupportedContentError } from "../context/index.ts";
import type { InputMessage } from "../event/index.ts";
import type { ModelContent } from "../model/index.ts";
import { TaskError } from "./task-error.ts";

/** A message of it. `note`: something that happened between messages, given to the model in a user message. */
export type PriorMessage =
  | { readonly from: "caller"; readonly message: InputMessage }
  | { readonly from: "agent"; readonly text: string }
  | { readonly from: "note"; readonly text: string };

/** A message's content for the model. @throws TaskError unsupported_content */
export function contentOf(input: InputMessage): ModelContent[] {
  try {
    return inputContent(input);
  } catch (error) {
    if (error instanceof UnsupportedContentError) throw new TaskError("unsupported_content", error.message);
    throw error;
  }
}

/** A message as it is taken in. */
export interface ReadMessage {
  readonly content: readonly ModelContent[];
  /** As the conversation stores it. */
  readonly body: string;
}

/** Reads a message that starts a turn. @throws TaskError unsupported_content */
export function readMessage(input: InputMessage): ReadMessage {
  const content = contentOf(input);
  return { content, body: messageBody({ kind: "user", content }) };
}

/** Characters of a message from which on it is stored apart from its reading, so that others come in between. */
const LARGE = 512 * 1024;

/** True for a message whose reading and storing in one go would keep others waiting. */
export function isLarge({ body }: ReadMessage): boolean {
  return body.length >= LARGE;
}

function storedMessage(prior: PriorMessage): StoredMessage {
  switch (prior.from) {
    case "caller":
      return { kind: "user", content: contentOf(prior.message) };
    case "agent":
      return { kind: "assistant", text: prior.text };
    case "note":
      return { kind: "note", text: prior.text };
  }
}

/** The messages as rows of the conversation. @throws TaskError unsupported_content */
export function storedMessages(history: readonly PriorMessage[]): StoredMessage[] {
  return history.map(storedMessage);
}
