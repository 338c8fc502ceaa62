/** The little of A2A 0.3 that the proof speaks, written apart from the client it would otherwise have to trust. */
import { WAIT_LIMIT_MS } from "../run/limits.ts";
import { setDeadline } from "./deadline.ts";

/** A task as the wire shows it. */
export interface WireTask {
  readonly kind: "task";
  readonly id: string;
  readonly contextId: string;
  readonly status: {
    readonly state: string;
    readonly message?: {
      readonly parts: readonly { readonly kind: string; readonly data?: unknown; readonly text?: string }[];
    };
  };
  readonly artifacts?: readonly {
    readonly artifactId: string;
    readonly parts: readonly { readonly text?: string }[];
  }[];
}

/** What a call came to. */
export type Reply =
  | { readonly kind: "task"; readonly task: WireTask }
  | { readonly kind: "error"; readonly code: number; readonly message: string };

/** One event of a stream: its number and the result as it was sent, without the envelope. */
export interface Frame {
  readonly id: number;
  readonly kind: string;
  readonly json: string;
}

/** The connection broke: the caller knows nothing about what became of the request. */
export class LostError extends Error {
  override readonly name = "LostError";
  readonly code = "lost";
}

/** The service took longer than any answer may take, or said what no client can read. */
export class BrokenServiceError extends Error {
  override readonly name = "BrokenServiceError";
  readonly code = "broken-service";
}

/** Milliseconds any one answer may take: only one that hangs takes longer, on the busiest machine. */
const DEADLINE_MS = WAIT_LIMIT_MS;

/** Method, params and headers of a call. */
export interface Call {
  readonly method: string;
  readonly params: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function post(url: string, { method, params, headers }: Call, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(`${url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal,
    });
  } catch (error) {
    throw lost(error, method);
  }
}

function lost(error: unknown, method: string): Error {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new BrokenServiceError(`${method} had no answer for ${DEADLINE_MS} ms`);
  }
  return new LostError(`${method}: ${String(error)}`);
}

interface Envelope {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

function envelopeOf(text: string, method: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    throw new BrokenServiceError(`${method} was answered with ${text.slice(0, 200)}`);
  }
}

function replyOf(text: string, method: string): Reply {
  const { result, error } = envelopeOf(text, method);
  if (error !== undefined) return { kind: "error", code: error.code, message: error.message };
  const task = result as WireTask | undefined;
  if (task?.kind !== "task") throw new BrokenServiceError(`${method} was answered with ${text.slice(0, 200)}`);
  return { kind: "task", task };
}

/** Makes a call that is answered with a task. @throws LostError, BrokenServiceError */
export async function call(url: string, asked: Call): Promise<Reply> {
  const deadline = setDeadline(DEADLINE_MS);
  try {
    const response = await post(url, asked, deadline.signal);
    return replyOf(await textOf(response, asked.method), asked.method);
  } finally {
    deadline.clear();
  }
}

/** Makes a call whose answer is only right or wrong; undefined: right. @throws LostError, BrokenServiceError */
export async function refusal(url: string, asked: Call): Promise<string | undefined> {
  const deadline = setDeadline(DEADLINE_MS);
  try {
    const response = await post(url, asked, deadline.signal);
    const { error } = envelopeOf(await textOf(response, asked.method), asked.method);
    return error === undefined ? undefined : `${error.code} ${error.message}`;
  } finally {
    deadline.clear();
  }
}

/** What a `POST` to the operator API came to. */
export interface PutReply {
  readonly status: number;
  readonly text: string;
  /** Of the item or the issue. */
  readonly id: string;
  /** The turn it started. */
  readonly task: string | undefined;
}

/** Leaves an item or an issue with the operator API. @throws LostError, BrokenServiceError */
export async function put(url: string, path: string, body: unknown, key: string | undefined): Promise<PutReply> {
  const deadline = setDeadline(DEADLINE_MS);
  try {
    const headers = { "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) };
    const asked = { method: "POST", headers, body: JSON.stringify(body), signal: deadline.signal };
    const response = await fetch(url + path, asked).catch((error: unknown) => {
      throw lost(error, path);
    });
    const text = await textOf(response, path);
    const said = JSON.parse(text) as { item?: { id: number }; issue?: { id: string }; task_id?: string };
    return { status: response.status, text, id: String(said.item?.id ?? said.issue?.id ?? ""), task: said.task_id };
  } finally {
    deadline.clear();
  }
}

/** Withdraws something by `DELETE`; what was answered. @throws LostError */
export async function withdraw(url: string, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const deadline = setDeadline(DEADLINE_MS);
  try {
    const response = await fetch(url + path, { method: "DELETE", signal: deadline.signal }).catch((error: unknown) => {
      throw lost(error, path);
    });
    return { status: response.status, text: await textOf(response, path) };
  } finally {
    deadline.clear();
  }
}

async function textOf(response: Response, method: string): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw lost(error, method);
  }
}

function frameOf(event: string): Frame | undefined {
  let id = "";
  let data = "";
  for (const line of event.split("\n")) {
    if (line.startsWith("id: ")) id = line.slice(4);
    if (line.startsWith("data: ")) data += line.slice(6);
  }
  if (data === "") return undefined;
  const body = JSON.parse(data) as { result?: { kind: string }; error?: unknown };
  if (body.result === undefined) throw new BrokenServiceError(`a stream said ${data.slice(0, 300)}`);
  return { id: Number(id), kind: body.result.kind, json: JSON.stringify(body.result) };
}

/**
 * Streams a call and hands over each frame as it comes; `onFrame` returns false to leave. Returns an error reply if the
 * call was refused, undefined when the stream was read to its end or left.
 * @throws LostError when the connection broke, BrokenServiceError
 */
export async function stream(url: string, asked: Call, onFrame: (frame: Frame) => boolean): Promise<Reply | undefined> {
  const leave = new AbortController();
  const deadline = setDeadline(DEADLINE_MS);
  try {
    const response = await post(url, asked, AbortSignal.any([leave.signal, deadline.signal]));
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!streams) return replyOf(await textOf(response, asked.method), asked.method);
    await readFrames(response, (frame) => {
      // What came in the same piece as the last frame wanted is not looked at any more.
      if (!leave.signal.aborted && !onFrame(frame)) leave.abort();
    });
    return undefined;
  } catch (error) {
    if (leave.signal.aborted) return undefined;
    if (error instanceof BrokenServiceError || error instanceof LostError) throw error;
    throw lost(error, asked.method);
  } finally {
    deadline.clear();
  }
}

async function readFrames(response: Response, onFrame: (frame: Frame) => void): Promise<void> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const frame = frameOf(event);
      if (frame !== undefined) onFrame(frame);
    }
  }
}
