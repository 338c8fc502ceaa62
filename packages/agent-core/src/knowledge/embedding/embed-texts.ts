import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { CodedError } from "../../error/index.ts";
import { unitVector } from "./vector-code.ts";

/** Bytes of an answer that are read: 64 vectors of 4,096 numbers, written out. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_DIMS = 8_192;

/** Where texts become vectors: an endpoint in OpenAI's form. */
export interface EmbeddingEndpoint {
  /** Address up to and without `/embeddings`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; blank is none. */
  readonly apiKey: string;
  /** As the endpoint knows it. */
  readonly model: string;
  /** Milliseconds for one request. Default 8,000 (K25). */
  readonly timeoutMs?: number;
}

/**
 * - `refused`: the endpoint takes these texts not, whenever they are sent.
 * - `failed`: it was not reached, was too slow or busy, or answered with an error.
 * - `resized`: its vectors have another size than they had.
 * - `unusable`: what it answered is no vectors, not as many, of different sizes, zero, or holds something that is no number.
 */
export type EmbeddingFailure = "refused" | "failed" | "resized" | "unusable";

/** The message holds nothing that the endpoint sent. */
export class EmbeddingError extends CodedError<EmbeddingFailure> {
  override readonly name = "EmbeddingError";
}

/** Statuses that say something about the texts, and nothing about the endpoint. */
const OF_THE_TEXTS: ReadonlySet<number> = new Set([400, 413, 422]);

/** Vectors of length 1, one a text, in their order. No redirect is followed: a key reaches its address alone. @throws EmbeddingError */
export async function embedTexts(
  { baseUrl, apiKey, model, timeoutMs = 8_000 }: EmbeddingEndpoint,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  let body: unknown;
  try {
    const request = {
      headers: {
        ...{ accept: "application/json", "accept-encoding": "identity", "content-type": "application/json" },
        ...(apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
      signal,
    };
    const { status, text } = await post(new URL(`${baseUrl.replace(/\/+$/, "")}/embeddings`), request);
    if (status < 200 || status > 299)
      throw new EmbeddingError(OF_THE_TEXTS.has(status) ? "refused" : "failed", `answered ${status}`);
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof EmbeddingError) throw error;
    if (signal.aborted) throw new EmbeddingError("failed", `did not answer within ${timeoutMs} ms`);
    if (error instanceof SyntaxError) throw new EmbeddingError("unusable", "answered something that is not JSON");
    throw new EmbeddingError("failed", "could not be reached");
  }
  return vectorsOf(body, texts.length);
}

interface PostRequest {
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Asked with Node's own client: `fetch` would take 14 MB more in this thread. A connection that the endpoint closed while it was
 * idle is replaced once.
 */
async function post(url: URL, request: PostRequest): Promise<{ readonly status: number; readonly text: string }> {
  const { response, isReused, error } = await sent(url, request);
  if (response !== undefined) return { status: response.statusCode ?? 0, text: await readText(response) };
  if (!isReused || request.signal.aborted) throw error;
  const again = await sent(url, request);
  if (again.response === undefined) throw again.error;
  return { status: again.response.statusCode ?? 0, text: await readText(again.response) };
}

function sent(
  url: URL,
  { headers, body, signal }: PostRequest,
): Promise<{ readonly response?: IncomingMessage; readonly error?: Error; readonly isReused: boolean }> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const request = send(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      signal,
    });
    request.once("response", (response) => resolve({ response, isReused: request.reusedSocket }));
    request.on("error", (error) => resolve({ error, isReused: request.reusedSocket }));
    request.end(body);
  });
}

/** Of an error nothing is read. */
async function readText(response: IncomingMessage): Promise<string> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) {
    response.destroy();
    return "";
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new EmbeddingError("unusable", `sent more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

interface Item {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

function vectorsOf(body: unknown, count: number): Float32Array[] {
  const data = (body as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count)
    throw new EmbeddingError("unusable", "did not answer with one vector a text");
  const vectors: Float32Array[] = [];
  for (const [at, item] of (data as readonly (Item | null)[]).entries()) {
    const { index = at, embedding } = item ?? {};
    const isPlace = typeof index === "number" && Number.isInteger(index) && index >= 0 && index < count;
    const isVector =
      Array.isArray(embedding) &&
      embedding.length > 0 &&
      embedding.length <= MOST_DIMS &&
      embedding.every((number) => typeof number === "number");
    const unit = isVector ? unitVector(embedding as number[]) : undefined;
    if (!isPlace || unit === undefined || vectors[index] !== undefined)
      throw new EmbeddingError("unusable", "answered with a vector that cannot be compared");
    vectors[index] = unit;
  }
  if (vectors.some(({ length }) => length !== vectors[0]?.length))
    throw new EmbeddingError("unusable", "answered with vectors of different sizes");
  return vectors;
}
