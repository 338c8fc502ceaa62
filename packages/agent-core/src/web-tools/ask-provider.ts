import { decodeText } from "../document/index.ts";
import { type Egress, type EgressAnswer, EgressError, type EgressRequest } from "../egress/index.ts";
import type { SearchContext } from "./search-provider.ts";
import { WebToolError } from "./web-tool-error.ts";

/** Bounds of a request to a provider. Bytes are counted after decompression. */
const BOUNDS = { maxBodyBytes: 1_000_000, overflow: "refuse", maxRedirects: 0 } as const;

/** How a provider is reached. */
export interface ProviderLine {
  /** Asked at each search, so that a changed allow-list applies at once (S8). */
  readonly egress: () => Egress;
  /** Milliseconds for a request. Default 15,000. */
  readonly timeoutMs?: number;
}

export interface ProviderQuestion extends Pick<EgressRequest, "method" | "headers" | "body"> {
  readonly url: URL;
  /** Statuses that mean something of their own at this provider, in whole sentences for the model. */
  readonly refusals: { readonly [status: number]: string };
}

/** An answer with a status of success; any other has become an error. */
export interface ProviderAnswer {
  readonly status: number;
  readonly text: string;
}

function unanswered(name: string, { code }: EgressError): WebToolError {
  // The host may be one of the operator's own network: the model gets the provider's name only.
  const why: { readonly [code: string]: string } = {
    "egress.timeout": `${name} did not answer in time`,
    "egress.body-too-large": `${name} answered with more than ${BOUNDS.maxBodyBytes} bytes`,
    "egress.bad-answer": `${name} answered something unreadable`,
  };
  const reason = why[code] ?? `${name} cannot be reached (${code.slice("egress.".length)})`;
  return new WebToolError("web_search.unavailable", `${reason}. Try again later, or go on without a search.`);
}

/** A sentence with the provider's Retry-After, where that is a sensible number of seconds. */
function whenAgain({ headers }: EgressAnswer): string {
  const seconds = /^\d{1,5}$/.test(headers["retry-after"] ?? "") ? Number(headers["retry-after"]) : 0;
  return seconds > 0 ? `Try again in ${seconds} s.` : "Try again later.";
}

function failure(name: string, answer: EgressAnswer, refusals: ProviderQuestion["refusals"]): WebToolError {
  const { status } = answer;
  const refusal = refusals[status];
  if (refusal !== undefined) return new WebToolError("web_search.refused", refusal);
  if (status === 429) {
    return new WebToolError("web_search.rate-limited", `${name} takes no more searches now. ${whenAgain(answer)}`);
  }
  const how = status >= 300 && status < 400 ? "a redirect, which is not followed" : `status ${status}`;
  return new WebToolError("web_search.unavailable", `${name} answered with ${how}, not with results.`);
}

/**
 * Asks a provider through the guard, once; a redirect is never followed, so a key stays where it belongs. Every failure
 * is a `WebToolError` that names the provider and never its host, a key or part of its answer; the host goes to the log.
 */
export async function askProvider(
  name: string,
  { egress, timeoutMs = 15_000 }: ProviderLine,
  { url, refusals, ...question }: ProviderQuestion,
  { signal, log }: SearchContext,
): Promise<ProviderAnswer> {
  let answer: EgressAnswer;
  try {
    answer = await egress().request(url, { ...question, ...BOUNDS, timeoutMs, signal });
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    log.warn(`web_search: ${error.message}`);
    throw unanswered(name, error);
  }
  const { status, headers, body } = answer;
  if (status < 200 || status > 299) throw failure(name, answer, refusals);
  return { status, text: decodeText(body, headers["content-type"]) };
}
