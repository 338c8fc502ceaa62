/** What a change of the operator's token acts on. */
export interface TokenPorts {
  /** Stores the token in the browser, which every request uses; undefined: none. */
  keep(token: string | undefined): void;
  /** Saves the token in the service, with the previous credential. Rejects when it refuses, or without a response. */
  save(token: string): Promise<void>;
  /** Whether the service accepts this token as the operator's. Rejects when it cannot be reached. */
  accepts(token: string | undefined): Promise<boolean>;
}

/** The new token is not in force; the browser has the previous one. */
export class TokenNotChangedError extends Error {
  override readonly name = "TokenNotChangedError";
  readonly code = "token_not_changed";
}

/**
 * Changes the operator's token without locking the person out. The browser stores the new one before the service does, so
 * that no request in between is refused; then both tokens are tested, whatever the response was, and the
 * browser keeps the token that works.
 * @throws TokenNotChangedError
 */
export async function changeToken(next: string, before: string | undefined, ports: TokenPorts): Promise<void> {
  ports.keep(next);
  let refusal: unknown;
  try {
    await ports.save(next);
  } catch (error) {
    // The response may have been lost after the service saved it: only a test shows that.
    refusal = error;
  }
  if (await isTaken(next, before, ports)) return;
  ports.keep(before);
  const why = refusal instanceof Error ? refusal.message : "the service did not take it.";
  throw new TokenNotChangedError(`The token is as it was: ${why}`, { cause: refusal });
}

/** On an open instance every token is accepted; the new one is in force only once the previous one is refused. */
async function isTaken(next: string, before: string | undefined, { accepts }: TokenPorts): Promise<boolean> {
  try {
    return (await accepts(next)) && (next === before || !(await accepts(before)));
  } catch {
    return false;
  }
}

/** Why a text is not a valid token; undefined: it is. It is sent in a header, so it is printable ASCII without spaces. */
export function problemOfToken(token: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(token)) return "Use letters, digits and signs without spaces or accents.";
  return token.length < 16 ? "Use at least 16 characters, so that it cannot be guessed." : undefined;
}

/** A token of 32 random bytes, as 43 characters that need no quoting. */
export function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
