import { SecretsError, type SecretsRequest, type SendSecretsRequest } from "./secrets-provider.ts";

/** What is used of the platform's `fetch`, which fits. */
export type FetchLike = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: { readonly [name: string]: string };
    readonly body?: string;
    readonly redirect: "manual";
    readonly signal: AbortSignal;
  },
) => Promise<FetchAnswer>;

/** What is used of an answer. */
export interface FetchAnswer {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Bounds of one fetch of secrets. */
export interface RequestBounds {
  /** Milliseconds for all of its requests together. */
  readonly timeoutMs: number;
  /** Most bytes of one answer. Default 8 MiB. */
  readonly maxBytes?: number;
  /** Gives up early. */
  readonly signal?: AbortSignal;
}

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Requests to one address, bounded in time and size. Redirects are not followed: the identity is meant for this address
 * and no other. Call it once per fetch of secrets; its time begins then.
 */
export function boundedRequests(host: string, fetch: FetchLike, bounds: RequestBounds): SendSecretsRequest {
  const { timeoutMs, maxBytes = MAX_BYTES } = bounds;
  const late = AbortSignal.timeout(timeoutMs);
  const signal = bounds.signal === undefined ? late : AbortSignal.any([late, bounds.signal]);

  return async (request) => {
    try {
      const answer = await fetch(addressOf(host, request), { ...initOf(request), signal });
      const text = await readText(answer, maxBytes);
      checkStatus(answer.status);
      return JSON.parse(text);
    } catch (error) {
      if (error instanceof SecretsError) throw error;
      if (error instanceof SyntaxError) throw new SecretsError("bad_response", "the manager's answer is not JSON");
      if (late.aborted) throw new SecretsError("timeout", `the manager did not answer within ${timeoutMs / 1000} s`);
      if (signal.aborted) throw new SecretsError("network", "the fetch was given up");
      throw new SecretsError("network", `${host} could not be reached${reasonOf(error)}`);
    }
  };
}

function addressOf(host: string, { path, query }: SecretsRequest): string {
  return query === undefined ? host + path : `${host}${path}?${new URLSearchParams({ ...query })}`;
}

function initOf({ method, bearer, body }: SecretsRequest) {
  return {
    method,
    redirect: "manual",
    headers: {
      accept: "application/json",
      "user-agent": "agent-service",
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  } as const;
}

async function readText({ body }: FetchAnswer, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new SecretsError("bad_response", `the manager's answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The body of an error is not passed on: it may repeat what was sent. */
function checkStatus(status: number): void {
  if (status >= 200 && status < 300) return;
  const answered = `the manager answered ${status}`;
  if (status === 401 || status === 403)
    throw new SecretsError("auth_failed", `${answered}: check the machine identity and what it may read`);
  if (status === 404) throw new SecretsError("bad_response", `${answered}: check project_id, environment and path`);
  if (status === 429) throw new SecretsError("bad_response", answered);
  if (status >= 500) throw new SecretsError("bad_response", answered);
  if (status >= 300 && status < 400)
    throw new SecretsError("bad_response", `${answered}, a redirect, which is not followed: check host`);
  throw new SecretsError("bad_response", answered);
}

function reasonOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const found = cause?.code ?? code;
  return typeof found === "string" ? ` (${found})` : "";
}
