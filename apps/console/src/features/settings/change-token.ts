/** What changing the operator's token is over. */
export interface TokenPorts {
  /** Puts a token into the browser, from where every call takes it; undefined: none. */
  keep(token: string | undefined): void;
  /** Has the service take the token, asked as the operator of before. Rejects when it refuses, or when no answer came. */
  save(token: string): Promise<void>;
  /** Whether the service takes a caller with this token for its operator. Rejects when there is no way to it. */
  accepts(token: string | undefined): Promise<boolean>;
}

/** The new token is not in force; the browser has the one of before. */
export class TokenNotChangedError extends Error {
  override readonly name = "TokenNotChangedError";
  readonly code = "token_not_changed";
}

/**
 * Changes the operator's token without locking oneself out. The browser has the new one before the service takes it, so
 * that no call between is refused afterwards; then it is looked at what the service takes, whatever it answered, and the
 * browser keeps the token that works.
 * @throws TokenNotChangedError
 */
export async function changeToken(next: string, before: string | undefined, ports: TokenPorts): Promise<void> {
  ports.keep(next);
  let refusal: unknown;
  try {
    await ports.save(next);
  } catch (error) {
    // The answer may have been lost after the service took it: only asking tells.
    refusal = error;
  }
  if (await isTaken(next, before, ports)) return;
  ports.keep(before);
  const why = refusal instanceof Error ? refusal.message : "the service did not take it.";
  throw new TokenNotChangedError(`The token is as it was: ${why}`, { cause: refusal });
}

/** On an open instance every token is accepted; the new one counts only once what was before does not. */
async function isTaken(next: string, before: string | undefined, { accepts }: TokenPorts): Promise<boolean> {
  try {
    return (await accepts(next)) && (next === before || !(await accepts(before)));
  } catch {
    return false;
  }
}

/** Why a text cannot be a token; undefined: it can. A header holds it, so it is of printable ASCII without spaces. */
export function problemOfToken(token: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(token)) return "Use letters, digits and signs without spaces or accents.";
  return token.length < 16 ? "Use at least 16 characters, so that nobody guesses it." : undefined;
}

/** A token of 32 random bytes, in 43 characters that need no quoting anywhere. */
export function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
