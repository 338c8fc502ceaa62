import type { StoredMessage } from "./stored-message.ts";

/** The body column of a stored message. */
export function messageBody(message: StoredMessage): string {
  const { kind: _kind, ...body } = message;
  return JSON.stringify(body);
}
