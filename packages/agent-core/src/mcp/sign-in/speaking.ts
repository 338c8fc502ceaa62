import { SignInError } from "./sign-in-error.ts";

type Sdk = typeof import("@modelcontextprotocol/client");

const MAX_MESSAGE_CHARS = 200;
/** Only these say that what was granted is worth nothing; any other failure may pass. */
const OVER: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);

/** Does it; errors of the SDK say what they mean, in one sentence. @throws SignInError */
export async function speaking<T>(sdk: Sdk, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const own = causeOf(error);
    if (own !== undefined) throw own;
    if (!(error instanceof sdk.OAuthError))
      throw new SignInError("refused", "what its authorization server publishes cannot be used");
    const { code } = error;
    const isLater = code === sdk.OAuthErrorCode.ServerError || code === sdk.OAuthErrorCode.TemporarilyUnavailable;
    const isOver = OVER.has(code);
    const meaning = isLater ? "unreachable" : isOver ? "over" : "refused";
    throw new SignInError(meaning, `its sign-in answered ${shownCode(code)}`);
  }
}

/** What our fetch threw: the SDK passes it on as it is, or as a cause. */
function causeOf(error: unknown): SignInError | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++)
    if (one instanceof SignInError) return one;
  return undefined;
}

/** A code of theirs, where it is one. */
export function shownCode(code: string): string {
  return /^[a-z0-9_.-]+$/i.test(code) ? code.slice(0, MAX_MESSAGE_CHARS) : "an error";
}
