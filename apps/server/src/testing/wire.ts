/** A client of A2A 0.3 over JSON-RPC without any library. */
import type { Json } from "./json.ts";
import { type StreamReader, streamReader } from "./stream-reader.ts";

/** One response with its HTTP status and headers. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as JSON; a body that is not JSON is under `text`. */
  readonly body: Json;
}

export interface WireCall {
  readonly headers?: { readonly [name: string]: string };
}

/** A caller. */
export interface Wire {
  /** Sends a method and reads the whole answer. */
  answer(method: string, params: unknown, call?: WireCall): Promise<WireAnswer>;
  /** The `result` of a method. Throws with the whole answer when there is none. */
  result(method: string, params: unknown, call?: WireCall): Promise<Json>;
  /** The `error` of a method. Throws with the whole answer when there is none. */
  error(method: string, params: unknown, call?: WireCall): Promise<Json>;
  /** The result of `message/send` with a user's message of one text. */
  say(text: string, message?: Json, params?: Json): Promise<Json>;
  /** Sends a streaming method and reads its events. Throws with the answer when it is no stream. */
  stream(method: string, params: unknown, call?: WireCall): Promise<StreamReader>;
}

/** Params of `message/send` and `message/stream` for one text. */
export function textParams(text: string, message: Json = {}, params: Json = {}): Json {
  return { message: { role: "user", parts: [{ kind: "text", text }], ...message }, ...params };
}

/** A caller of the service at `url`, sending these headers with every request. */
export function wireTo(url: string, headers: { readonly [name: string]: string } = {}): Wire {
  const post = (method: string, params: unknown, call: WireCall = {}): Promise<Response> =>
    fetch(`${url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers, ...call.headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  const answer = async (method: string, params: unknown, call?: WireCall): Promise<WireAnswer> =>
    read(await post(method, params, call));
  const field = async (name: "result" | "error", method: string, params: unknown, call?: WireCall): Promise<Json> => {
    const { status, body } = await answer(method, params, call);
    if (body[name] === undefined) throw new Error(`no ${name} of ${method}: ${status} ${JSON.stringify(body)}`);
    return body[name];
  };
  const result: Wire["result"] = (method, params, call) => field("result", method, params, call);
  return {
    answer,
    result,
    error: (method, params, call) => field("error", method, params, call),
    say: (text, message, params) => result("message/send", textParams(text, message, params)),
    async stream(method, params, call) {
      const response = await post(method, params, call);
      if (response.headers.get("content-type") === "text/event-stream") return streamReader(response);
      const { status, body } = await read(response);
      throw new Error(`no stream of ${method}: ${status} ${JSON.stringify(body)}`);
    },
  };
}

async function read(response: Response): Promise<WireAnswer> {
  const isEvent = response.headers.get("content-type") === "text/event-stream";
  const text = await response.text();
  let body: Json;
  try {
    // A stream of 0.3 that is refused is one event with the error (A4).
    body = JSON.parse(isEvent ? text.replace(/^data: /, "") : text) as Json;
  } catch {
    body = { text };
  }
  return { status: response.status, headers: response.headers, body };
}

/** The text of a task's answer, or of any list of parts. */
export function textOf(value: Json | undefined): string {
  const parts: Json[] = value?.parts ?? value?.artifacts?.find((one: Json) => one.artifactId === "answer")?.parts ?? [];
  return parts.map((part) => part.text ?? "").join("");
}
