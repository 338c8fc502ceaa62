/** Creates the id of a new conversation. */
export function newSessionId(): string {
  return `chat-${crypto.randomUUID()}`;
}
