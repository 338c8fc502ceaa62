/** A caller with one interface for both versions and bindings. */
import { type A2AErrorReason, errorKinds } from "../../packages/a2a-protocol/src/index.ts";
import { type RawEvent, readEvents } from "./event-reader.ts";

/** Any JSON object, as loosely as a test reads it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into at any depth, and `expect` checks what is there
export type Json = { [key: string]: any };

/** A request in both bindings, for what has no `Operation`. */
export interface Question {
  /** The method of JSON-RPC, and its params. */
  readonly rpc: readonly [method: string, params: Json];
  /** The method of HTTP, the path below the version's root, and the body if it has one. */
  readonly rest: readonly [method: string, path: string, body?: Json];
}

/** What can be asked for; each has a method name and a path in each version. */
export type Operation = "send" | "stream" | "get" | "list" | "cancel" | "subscribe" | "card";

/** A message of one text, or of these parts, in no version's form. */
export interface Saying {
  readonly text?: string;
  readonly parts?: readonly Json[];
  readonly message?: Json;
  /** false: the answer comes as soon as the task exists. */
  readonly wait?: boolean;
  readonly configuration?: Json;
  readonly metadata?: Json;
}

/** An answer. */
export interface Outcome {
  readonly status: number;
  readonly headers: Headers;
  /** The body as JSON. */
  readonly body: Json;
  /** What was asked for, outside its envelope: a Task, a list, a card. */
  readonly result: Json;
  readonly error: ReadError | undefined;
}

/** An error, whatever its form. */
export interface ReadError {
  /** The number of the protocol. */
  readonly code: number;
  readonly message: string;
  /** 1.0's details, else undefined. */
  readonly details: readonly Json[] | undefined;
}

/** One event of a stream. */
export interface Frame {
  readonly raw: RawEvent;
  /** The JSON of its data, with the envelope. */
  readonly envelope: Json;
  readonly kind: "task" | "message" | "statusUpdate" | "artifactUpdate";
  readonly value: Json;
}

/** A caller in one version and binding. */
export interface Speaker {
  readonly version: "0.3" | "1.0";
  readonly binding: "JSON-RPC" | "HTTP+JSON";
  /** Params of a send. */
  params(saying: Saying): Json;
  /** The request as it goes out; `fetch` it, or ask for what it brings. */
  request(operation: Operation, input: Json, headers?: HeadersInit): Request;
  ask(operation: Operation, input: Json, headers?: HeadersInit): Promise<Outcome>;
  /** Asks for anything else; the result is what the envelope holds. */
  call(question: Question, headers?: HeadersInit): Promise<Outcome>;
  /** A send; the result is the Task. */
  say(saying: Saying, headers?: HeadersInit): Promise<Outcome>;
  /** Opens a stream. Throws with the answer where it is none. */
  open(operation: "stream" | "subscribe", input: Json, headers?: HeadersInit): Promise<AsyncGenerator<Frame>>;
  /** The whole of a stream. */
  read(operation: "stream" | "subscribe", input: Json, headers?: HeadersInit): Promise<readonly Frame[]>;
}

const METHODS: Readonly<Record<"0.3" | "1.0", Readonly<Partial<Record<Operation, string>>>>> = {
  "0.3": {
    send: "message/send",
    stream: "message/stream",
    get: "tasks/get",
    cancel: "tasks/cancel",
    subscribe: "tasks/resubscribe",
    card: "agent/getAuthenticatedExtendedCard",
  },
  "1.0": {
    send: "SendMessage",
    stream: "SendStreamingMessage",
    get: "GetTask",
    list: "ListTasks",
    cancel: "CancelTask",
    subscribe: "SubscribeToTask",
    card: "GetExtendedAgentCard",
  },
};

/** What brings the answer to a request: `fetch`, or a handler itself. */
export type Send = (request: Request) => Promise<Response>;

/** The four callers of the service at `url`, which send these headers with every request. */
export function speakersTo(url: string, headers: HeadersInit = {}, send: Send = fetch): readonly Speaker[] {
  return (["0.3", "1.0"] as const).flatMap((version) =>
    (["JSON-RPC", "HTTP+JSON"] as const).map((binding) => speaker({ url, version, binding, headers, send })),
  );
}

/** A state by its 0.3 name, whichever version it was read in. */
export function stateOf({ status }: Json): string {
  return String(status.state)
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
}

/** The text of a task's answer, or of anything with parts. */
export function textOf(value: Json): string {
  const parts: readonly Json[] =
    value.parts ?? value.artifacts?.find((one: Json) => one.artifactId === "answer")?.parts ?? [];
  return parts.map(({ text }) => text ?? "").join("");
}

interface SpeakerParts extends Pick<Speaker, "version" | "binding"> {
  readonly url: string;
  readonly headers: HeadersInit;
  readonly send: Send;
}

function speaker({ url, version, binding, headers: fixed, send }: SpeakerParts): Speaker {
  const overRpc = binding === "JSON-RPC";
  function headersWith(more: HeadersInit | undefined): Headers {
    const headers = new Headers(fixed);
    if (version === "1.0") headers.set("a2a-version", version);
    for (const [name, value] of new Headers(more)) headers.set(name, value);
    return headers;
  }
  function request(operation: Operation, input: Json, more?: HeadersInit): Request {
    const headers = headersWith(more);
    if (!overRpc) return restRequest(url, version, operation, input, headers);
    return rpcRequest(METHODS[version][operation] ?? `tasks/${operation}`, input, headers);
  }
  function rpcRequest(method: string, params: Json, headers: Headers): Request {
    return jsonRequest("POST", `${url}/a2a`, headers, { jsonrpc: "2.0", id: "call-1", method, params });
  }
  async function call({ rpc, rest: [method, path, body] }: Question, more?: HeadersInit): Promise<Outcome> {
    const headers = headersWith(more);
    const address = rootOf(url, version) + path;
    const asked = overRpc ? rpcRequest(...rpc, headers) : jsonRequest(method, address, headers, body);
    const response = await send(asked);
    return outcomeOf(response, await response.text());
  }
  async function ask(operation: Operation, input: Json, more?: HeadersInit): Promise<Outcome> {
    const response = await send(request(operation, input, more));
    const text = await response.text();
    // A stream of 0.3 that is refused over JSON-RPC is one event with the error.
    const isEvent = response.headers.get("content-type") === "text/event-stream";
    return outcomeOf(response, isEvent ? text.replace(/^data: /, "") : text, operation);
  }
  function outcomeOf(response: Response, text: string, operation?: Operation): Outcome {
    const body = JSON.parse(text) as Json;
    const { status, headers } = response;
    const error = overRpc || version === "1.0" ? readError(body.error) : status < 400 ? undefined : readError(body);
    const answered: Json = overRpc ? body.result : body;
    const wrapped = operation === "send" && (version === "1.0" || !overRpc);
    return { status, headers, body, error, result: wrapped && error === undefined ? answered?.task : answered };
  }
  async function open(operation: "stream" | "subscribe", input: Json, more?: HeadersInit) {
    const response = await send(request(operation, input, more));
    if (response.headers.get("content-type") === "text/event-stream") return frames(response);
    throw new Error(`no stream: ${response.status} ${await response.text()}`);
  }
  async function* frames(response: Response): AsyncGenerator<Frame> {
    for await (const raw of readEvents(response)) {
      if (raw.data.length === 0) continue;
      const envelope = JSON.parse(raw.data.join("\n")) as Json;
      yield { raw, envelope, ...frameOf(overRpc ? envelope.result : envelope) };
    }
  }
  const params = (saying: Saying) => sendParams(version, saying);
  return {
    version,
    binding,
    params,
    request,
    ask,
    call,
    say: (saying, more) => ask("send", params(saying), more),
    open,
    read: async (operation, input, more) => Array.fromAsync(await open(operation, input, more)),
  };
}

function sendParams(version: Speaker["version"], { text, parts, message, wait, metadata, ...saying }: Saying): Json {
  const old = version === "0.3";
  const textPart = old ? { kind: "text", text } : { text };
  const notWaiting = old ? { blocking: false } : { returnImmediately: true };
  const configuration = { ...saying.configuration, ...(wait === false && notWaiting) };
  return {
    message: {
      ...(old && { kind: "message" }),
      messageId: crypto.randomUUID(),
      role: old ? "user" : "ROLE_USER",
      parts: parts ?? [textPart],
      ...message,
    },
    ...(Object.keys(configuration).length > 0 && { configuration }),
    ...(metadata && { metadata }),
  };
}

/** The request of HTTP+JSON: 0.3 below `/v1`, 1.0 below `/a2a`; what is not in the path goes to the query or the body. */
function restRequest(url: string, version: string, operation: Operation, input: Json, headers: Headers): Request {
  const base = rootOf(url, version);
  const { id, ...rest } = input;
  const task = `${base}/tasks/${encodeURIComponent(String(id))}`;
  const target = {
    send: ["POST", `${base}/message:send`],
    stream: ["POST", `${base}/message:stream`],
    get: ["GET", task],
    list: ["GET", `${base}/tasks`],
    cancel: ["POST", `${task}:cancel`],
    subscribe: ["POST", `${task}:subscribe`],
    card: ["GET", `${base}/${version === "0.3" ? "card" : "extendedAgentCard"}`],
  }[operation] as [string, string];
  const [method, address] = target;
  if (method === "GET") {
    const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]));
    return new Request(query.size === 0 ? address : `${address}?${query}`, { headers });
  }
  return jsonRequest(method, address, headers, operation === "send" || operation === "stream" ? input : rest);
}

/** Where the paths of HTTP+JSON begin: 0.3 has its own root, 1.0 is below the endpoint. */
function rootOf(url: string, version: string): string {
  return `${url}${version === "0.3" ? "/v1" : "/a2a"}`;
}

function jsonRequest(method: string, address: string, headers: Headers, body?: Json): Request {
  if (body === undefined) return new Request(address, { method, headers });
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return new Request(address, { method, headers, body: JSON.stringify(body) });
}

function readError(value: Json | undefined): ReadError | undefined {
  if (value === undefined) return undefined;
  const { code, message } = value;
  const details = (value.details ?? (Array.isArray(value.data) ? value.data : undefined)) as Json[] | undefined;
  // HTTP+JSON of 1.0 has the HTTP status where JSON-RPC has the number; the reason names it.
  const kind = errorKinds[details?.[0]?.reason as A2AErrorReason];
  return { code: kind?.code ?? code, message, details };
}

/** A frame with its kind: 0.3 over JSON-RPC has it inside, everything else wraps the frame. */
function frameOf(json: Json): Pick<Frame, "kind" | "value"> {
  const kinds = ["task", "message", "statusUpdate", "artifactUpdate"] as const;
  const wrapped = kinds.find((kind) => kind in json && json.kind === undefined);
  if (wrapped !== undefined) return { kind: wrapped, value: json[wrapped] };
  const kind = kinds.find((name) => name.toLowerCase() === String(json.kind).replace("-", ""));
  if (kind === undefined) throw new Error(`no frame: ${JSON.stringify(json)}`);
  return { kind, value: json };
}
