/** A name for a conversation that is about to begin. */
export function newSessionId(): string {
  return `chat-${crypto.randomUUID()}`;
}
