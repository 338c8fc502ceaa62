/** What a webhook's registration is made of, in every version (B21, W1). */
import * as v from "valibot";

/** Longest webhook address, in characters. */
const MAX_URL = 2048;
/** Longest token or credentials, in characters. */
const MAX_SECRET = 4096;
/** Longest name of an authentication scheme. */
const MAX_SCHEME = 64;

/** An absolute http or https address. Where it leads is for the executor to judge. */
export const webhookUrl = v.pipe(
  v.string(),
  v.maxLength(MAX_URL, `must have at most ${MAX_URL} characters`),
  v.check(isWebAddress, "must be an absolute http or https address"),
);

/**
 * A token or credentials, or nothing; the empty text is nothing, as protobuf's default. Visible ASCII and inner spaces
 * only: anything else would not reach a header as it is, and a line break would end one (W1).
 */
export const secret = v.nullish(
  v.pipe(
    v.string(),
    v.maxLength(MAX_SECRET, `must have at most ${MAX_SECRET} characters`),
    v.check((text) => /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(text), "must be visible ASCII, without line breaks"),
  ),
);

/** Name of an HTTP authentication scheme (RFC 9110). */
export const authenticationScheme = v.pipe(
  v.string(),
  v.maxLength(MAX_SCHEME, `must have at most ${MAX_SCHEME} characters`),
  v.check((text) => /^[\w!#$%&'*+.^`|~-]+$/.test(text), "must be the name of an authentication scheme"),
);

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === "https:" || protocol === "http:";
}
