import { isIP } from "node:net";
import { EgressError } from "./egress-error.ts";

/** A URL whose form is acceptable; nothing is known about its addresses yet. */
export interface Target {
  readonly url: URL;
  /** The host as the checks compare it: lower case, in ASCII, without brackets and without a trailing dot. */
  readonly host: string;
  /** True when the host is an address, so that there is nothing to resolve. */
  readonly isAddress: boolean;
}

/** Characters of a URL. Longer ones are refused before they are parsed. */
const MAX_URL_LENGTH = 8_192;

/** The host of a parsed URL in the form that lists and checks compare. */
export function plainHost(hostname: string): string {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return bare.replace(/\.+$/, "");
}

/** What a message may call a host: the model and callers read it, so it is bounded. */
export function shownHost(host: string): string {
  return host.length > 120 ? `${host.slice(0, 120)}…` : host;
}

/**
 * Reads a URL by WHATWG rules, which turn every spelling of an address (decimal, octal, hexadecimal, short, full-width)
 * into one (W3). Only http and https, and no credentials.
 * @throws EgressError `egress.invalid-url`, `egress.refused-scheme`, `egress.refused-credentials`
 */
export function parseTarget(text: string | URL, base?: URL): Target {
  const written = typeof text === "string" ? text : text.href;
  if (written.length > MAX_URL_LENGTH) {
    throw new EgressError("egress.invalid-url", `a URL may have at most ${MAX_URL_LENGTH} characters`);
  }
  const url = URL.parse(written, base?.href);
  if (url === null) throw new EgressError("egress.invalid-url", "this is not a complete URL such as https://host/path");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new EgressError(
      "egress.refused-scheme",
      `only http and https URLs are allowed, not ${shownHost(url.protocol)}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new EgressError("egress.refused-credentials", "a URL with credentials in it is refused");
  }
  const host = plainHost(url.hostname);
  if (host === "" || url.port === "0") {
    throw new EgressError("egress.invalid-url", "the URL names no host that can be reached");
  }
  return { url, host, isAddress: isIP(host) !== 0 };
}
