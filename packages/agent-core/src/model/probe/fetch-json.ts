import { ModelError } from "../model-error.ts";

const MAX_BYTES = 4 * 1024 * 1024;

export interface FetchJsonOptions {
  readonly headers?: { readonly [name: string]: string };
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches a JSON value from a model server. No redirect is followed, so that a key reaches its address alone; at most
 * 4 MiB are read. Rejects with `ModelError`, whose message holds nothing the server sent.
 */
export async function fetchJson(url: string, options: FetchJsonOptions): Promise<unknown> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json", ...options.headers },
      redirect: "manual",
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refusal(response.status);
    }
    return JSON.parse(await readText(response)) as unknown;
  } catch (error) {
    if (error instanceof ModelError) throw error;
    options.signal?.throwIfAborted();
    if (timeout.aborted) throw new ModelError("timeout", `did not answer within ${options.timeoutMs} ms`);
    if (error instanceof SyntaxError) throw new ModelError("bad_response", "answered something that is not JSON");
    throw new ModelError("network", `could not be reached${reasonOf(error)}`, { cause: error });
  }
}

function refusal(status: number): ModelError {
  const code =
    status === 401 || status === 403
      ? "unauthorized"
      : status === 429
        ? "rate_limited"
        : status >= 500
          ? "upstream"
          : "bad_response";
  return new ModelError(code, `answered ${status}`, { status });
}

function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : "";
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new ModelError("bad_response", `sent more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
