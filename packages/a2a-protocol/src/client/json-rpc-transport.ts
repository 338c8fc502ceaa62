/** JSON-RPC over HTTP as a client sees it: calls with one result, and calls with a stream of results. Bounded. */
import { readWithin, resultOf } from "../json-rpc/index.ts";
import { createSseParser, SseLimitError, type Timers } from "../stream/index.ts";
import { ClientError } from "./client-error.ts";

export interface TransportOptions {
  readonly url: string;
  /** Sent with every request: credentials and the host's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Params of every request, beside its own. */
  readonly params?: object;
  readonly fetch: typeof fetch;
  readonly timers: Timers;
  /** Milliseconds of silence on a stream after which it counts as broken; 0: never. */
  readonly idleTimeoutMs: number;
  /** Most bytes of one JSON answer, and most characters of one stream event. */
  readonly maxAnswerLength: number;
}

/** What one request adds. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StreamedResult {
  readonly result: unknown;
  /** The event's id where it is a sequence number. */
  readonly seq?: number;
}

/**
 * Calls methods of one endpoint. Errors: `A2AError` for what the agent answered, `ClientError` for the way there, and
 * the signal's reason when it aborts.
 */
export interface JsonRpcTransport {
  call(method: string, params: object, options?: CallOptions): Promise<unknown>;
  /** Ends where the body ends; leaving it early closes the connection. */
  stream(method: string, params: object, options?: CallOptions): AsyncGenerator<StreamedResult, void>;
}

export function createJsonRpcTransport(options: TransportOptions): JsonRpcTransport {
  async function post(method: string, params: object, accept: string, call: CallOptions): Promise<Response> {
    const id = crypto.randomUUID();
    const init: RequestInit = {
      method: "POST",
      headers: { ...options.headers, ...call.headers, "content-type": "application/json", accept },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...options.params, ...params } }),
      // A redirect could carry the credentials elsewhere.
      redirect: "error",
      ...(call.signal && { signal: call.signal }),
    };
    const response = await lost(call.signal, () => options.fetch(options.url, init));
    if (!response.ok) throw await httpError(response);
    return response;
  }

  return {
    async call(method, params, call = {}) {
      const response = await post(method, params, "application/json", call);
      return resultOf(await lost(call.signal, () => readText(response, options.maxAnswerLength)));
    },
    async *stream(method, params, call = {}) {
      const abort = new AbortController();
      const signal = call.signal ? AbortSignal.any([call.signal, abort.signal]) : abort.signal;
      try {
        const response = await post(method, params, "text/event-stream, application/json", { ...call, signal });
        if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
          yield { result: resultOf(await lost(signal, () => readText(response, options.maxAnswerLength))) };
          return;
        }
        for await (const event of eventsOf(response, options, signal)) {
          const seq = /^\d{1,15}$/.test(event.id) ? Number(event.id) : undefined;
          yield { result: resultOf(event.data), ...(seq !== undefined && { seq }) };
        }
      } finally {
        abort.abort();
      }
    },
  };
}

/** Runs a step of a request; whatever goes wrong on the way is `network`, unless the caller aborted. */
async function lost<T>(signal: AbortSignal | undefined, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof ClientError) throw cause;
    throw new ClientError("network", "The connection to the agent failed", { cause });
  }
}

async function* eventsOf(response: Response, options: TransportOptions, signal: AbortSignal) {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const parser = createSseParser({ maxEventLength: options.maxAnswerLength });
  for (;;) {
    const { done, value } = await lost(signal, () => readOrTimeOut(reader, options));
    if (done) return;
    try {
      yield* parser.push(value);
    } catch (cause) {
      if (cause instanceof SseLimitError) throw new ClientError("too-large", cause.message, { cause });
      throw cause;
    }
  }
}

function readOrTimeOut(reader: ReadableStreamDefaultReader<Uint8Array>, { idleTimeoutMs, timers }: TransportOptions) {
  if (idleTimeoutMs === 0) return reader.read();
  return new Promise<Awaited<ReturnType<typeof reader.read>>>((resolve, reject) => {
    const stop = timers.after(idleTimeoutMs, () => {
      reject(new ClientError("timeout", `The agent was silent for ${idleTimeoutMs} ms`));
    });
    reader.read().then(resolve, reject).finally(stop);
  });
}

/** The body as text. Throws `ClientError` `too-large` beyond `limit` bytes. */
export async function readText(response: Response, limit: number): Promise<string> {
  const text = await readWithin(response.body, limit);
  if (text === undefined) throw new ClientError("too-large", `The agent's answer is longer than ${limit} bytes`);
  return text;
}

/** Longest excerpt of an error body worth reading. */
const ERROR_BODY_BYTES = 64 * 1024;

async function httpError(response: Response): Promise<ClientError> {
  const { status } = response;
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const detail = await readText(response, ERROR_BODY_BYTES).then(detailOf, () => undefined);
  return new ClientError("http", `The agent answered HTTP ${status}${detail === undefined ? "" : `: ${detail}`}`, {
    status,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

function detailOf(text: string): string | undefined {
  try {
    const { detail, error } = JSON.parse(text) as { detail?: unknown; error?: { message?: unknown } };
    const reason = detail ?? error?.message;
    return typeof reason === "string" ? reason.slice(0, 200) : undefined;
  } catch {
    return undefined;
  }
}
