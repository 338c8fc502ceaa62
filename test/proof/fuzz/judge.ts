/** Judges an answer: what it comes to, and what is wrong with it. */
import { chunksIn, completionIn } from "./chat-shapes.ts";
import type { FuzzRequest, Outcome, Version } from "./fuzz-request.ts";
import type { Reception } from "./http-connection.ts";
import type { RawResponse } from "./response-parser.ts";
import {
  cardIn,
  errorCodeIn,
  type Form,
  fields,
  frameIn,
  parsed,
  restErrorIn,
  resultIn,
  type SeenTask,
  ShapeError,
} from "./shapes.ts";

/** What an answer came to. */
export interface Verdict {
  readonly outcome: Outcome;
  /** HTTP status; 0: none came. */
  readonly status: number;
  /** The task as the answer showed it last. */
  readonly task?: SeenTask | undefined;
  /** Id of a task of which the answer shows nothing else. */
  readonly shownTask?: string | undefined;
  /** Number of the last event of a stream. */
  readonly lastEvent?: number | undefined;
  /** Empty: the answer is as documented. */
  readonly problems: readonly string[];
}

/** What a surface makes of a response. */
type Reading = Pick<Verdict, "outcome" | "task" | "shownTask" | "lastEvent">;

/** Maximum length of an error response. */
const MOST_ERROR_CHARS = 4_096;
/** Statuses without a body that the HTTP parser itself answers: what they refuse never was a request. */
const PARSER_STATUSES = [400, 408, 413, 417, 431];

/** Judges the answer to a request. */
export function judge(request: FuzzRequest, reception: Reception): Verdict {
  const problems: string[] = [];
  if (reception.problem !== undefined) problems.push(`HTTP: ${reception.problem}`);
  if (reception.end === "timeout") problems.push("no answer came");
  const response = reception.left ?? reception.responses.at(-1);
  if (response === undefined) {
    if (owesAnswer(request, reception)) problems.push("the connection was closed without an answer");
    return { outcome: reception.end, status: 0, problems };
  }
  let reading: Reading = { outcome: `http ${response.status}` };
  try {
    reading = read(request, response, reception.end === "left");
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    problems.push(`shape: ${error.message}`);
  }
  problems.push(...problemsOf(request, response, reading.outcome));
  const { expects } = request;
  if (expects !== undefined && problems.length === 0 && !expects.includes(reading.outcome)) {
    problems.push(`expected ${expects.join(" or ")}, came ${reading.outcome}`);
  }
  return { ...reading, status: response.status, problems };
}

/** A client that left first gets nothing; one that sent no HTTP may be disconnected. */
function owesAnswer({ surface, raw }: FuzzRequest, { end }: Reception): boolean {
  return end === "closed" && raw?.ending === undefined && surface.kind !== "bytes";
}

/** What holds for every answer, whatever it is. */
function problemsOf({ surface, secret }: FuzzRequest, response: RawResponse, outcome: Outcome): string[] {
  const { status, headers, body } = response;
  const problems: string[] = [];
  const busy = (status === 503 || status === 429) && /^\d+$/.test(headers.get("retry-after") ?? "");
  // A chat completion reports a failure of the model as one of the upstream (V1).
  const expected = (surface.kind === "health" && status === 503) || (surface.kind === "chat" && status === 502);
  if (status >= 500 && !busy && !expected) problems.push(`status ${status}`);
  if (status === 429 && !busy) problems.push("429 without Retry-After");
  if (outcome === "-32603" && !busy) problems.push("-32603, an internal error");
  if (status >= 400 && body.length > MOST_ERROR_CHARS) problems.push(`an error of ${body.length} characters`);
  if (/\n\s+at .*[(/]/.test(body) || body.includes("node:internal")) problems.push("a stack in the answer");
  if (secret !== undefined && body.includes(secret)) problems.push("a secret in the answer");
  if (headers.has("x-powered-by") || headers.has("server")) problems.push("a header that names the software");
  return problems;
}

function read(request: FuzzRequest, response: RawResponse, left: boolean): Reading {
  const { surface } = request;
  const { status, headers, body } = response;
  const type = headers.get("content-type") ?? "";
  if (body === "" && refusedByParser(request, response)) return { outcome: `http ${status}` };
  const streams = status === 200 && type === "text/event-stream";
  if (surface.kind === "rpc" && request.method === "POST") {
    // A notification is answered with nothing (A4).
    if (status === 204 && body === "") return { outcome: "ok" };
    if (streams)
      return asEither(surface.version, (version) => readStream(request, body, { ...surface, version }, left));
    const busy = (status === 429 || status === 503) && body.startsWith('{"jsonrpc"');
    if (status === 200 || busy)
      return asEither(surface.version, (version) => readEnvelope(request, body, surface, version));
  }
  if (surface.kind === "rest" && status === 200 && request.method !== "HEAD") {
    if (streams)
      return asEither(surface.version, (version) => readStream(request, body, { ...surface, version }, left));
    return asEither(surface.version, (version) => readResult(request, parsed(body, "the answer"), version));
  }
  if (surface.kind === "chat" && status === 200) {
    if (!streams) return { ...ofTask(completionIn(body)), outcome: "ok" };
    return { ...ofTask(chunksIn(body, left)), outcome: "ok" };
  }
  return readPlain(request, response, type);
}

/** A task whose id is all that is shown of it. */
function ofTask(id: string | undefined): Pick<Verdict, "shownTask"> {
  return id === undefined ? {} : { shownTask: id };
}

/** Where the grammar cannot know which version an answer has, one of them must fit. */
function asEither(version: Version | "either", readAs: (version: Version) => Reading): Reading {
  if (version !== "either") return readAs(version);
  try {
    return readAs("0.3");
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return readAs("1.0");
  }
}

/** The HTTP parser's own answers have no body and end the connection. */
function refusedByParser({ raw, method }: FuzzRequest, { status, headers }: RawResponse): boolean {
  if (raw === undefined && method !== "HEAD" && status !== 431) return false;
  return PARSER_STATUSES.includes(status) && headers.get("connection") === "close";
}

function readEnvelope(
  request: FuzzRequest,
  body: string,
  surface: { readonly idJson?: string | undefined },
  version: Version,
): Reading {
  const envelope = fields(parsed(body, "the answer"), "the answer");
  const { jsonrpc, result, error, ...more } = envelope;
  if (jsonrpc !== "2.0") throw new ShapeError("an envelope without jsonrpc 2.0");
  const other = Object.keys(more).filter((name) => name !== "id");
  if (other.length > 0) throw new ShapeError(`an envelope with ${other.join(", ")}`);
  if ("result" in envelope === "error" in envelope) throw new ShapeError("not one of result and error");
  const code = error === undefined ? undefined : errorCodeIn(error, versionOfError(version, error));
  const idJson = JSON.stringify(envelope.id);
  // The id of what was not read is null (JSON-RPC 2.0, section 5).
  const unread = idJson === "null" && (code === -32700 || code === -32600);
  if (surface.idJson !== undefined && idJson !== surface.idJson && !unread) {
    throw new ShapeError(`id ${idJson} instead of ${surface.idJson}`);
  }
  return code === undefined ? readResult(request, result, version) : { outcome: String(code) };
}

/** An error of a version that is not served comes in the newest one's shape (A1). */
function versionOfError(version: Version, error: unknown): Version {
  return (error as { code?: unknown }).code === -32009 ? "1.0" : version;
}

function readResult(request: FuzzRequest, result: unknown, version: Version): Reading {
  const { operation } = request;
  if (operation === undefined) throw new ShapeError(`a result for what asks for nothing: ${JSON.stringify(result)}`);
  const task = resultIn(result, operation, formOf(request, version));
  return { outcome: "ok", task };
}

function formOf({ surface }: FuzzRequest, version: Version): Form {
  return { version, keyed: version === "1.0" || surface.kind === "rest" };
}

interface StreamEvent {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly data: string;
}

/** The whole events of a stream's body; comments are none. */
export function eventsOf(body: string): StreamEvent[] {
  const blocks = body.split("\n\n").slice(0, -1);
  return blocks.flatMap((block) => {
    const found: { id?: string; name?: string; data?: string } = {};
    for (const line of block.split("\n")) {
      if (line.startsWith(":")) continue;
      const [, name, value] = /^(id|event|data): (.*)$/s.exec(line) ?? [];
      if (name === undefined) throw new ShapeError(`a stream with the line ${line.slice(0, 100)}`);
      if (name === "id") found.id = value;
      else if (name === "event") found.name = value;
      else found.data = (found.data ?? "") + value;
    }
    return found.data === undefined ? [] : [{ id: found.id, name: found.name, data: found.data }];
  });
}

function readStream(
  request: FuzzRequest,
  body: string,
  surface: { readonly kind: "rpc" | "rest"; readonly version: Version; readonly idJson?: string | undefined },
  left: boolean,
): Reading {
  if (!left && body !== "" && !body.endsWith("\n\n")) throw new ShapeError("a stream that ends in an event");
  const { operation } = request;
  if (operation !== "stream" && operation !== "subscribe") throw new ShapeError(`a stream for ${operation}`);
  const events = eventsOf(body);
  const [refused] = events;
  // A stream of 0.3 that is refused is one event without a number, with the error (A4).
  const isRefusal = refused !== undefined && refused.id === undefined && events.length === 1;
  if (isRefusal && surface.kind === "rpc" && surface.version === "0.3") {
    return readEnvelope(request, refused.data, surface, surface.version);
  }
  let task: SeenTask | undefined;
  let lastEvent: number | undefined;
  for (const [index, { id, name, data }] of events.entries()) {
    if (name === "error" || id === undefined) throw new ShapeError(`an event that is no frame: ${data.slice(0, 300)}`);
    const seq = Number(id);
    // A stream of a task at rest shows its final frame behind the Task, under the number it has (A7).
    const least = index === 0 ? 0 : (lastEvent as number) + (index === 1 && task?.state !== "working" ? 0 : 1);
    if (!Number.isSafeInteger(seq) || seq < least) {
      throw new ShapeError(`event ${id} after ${lastEvent}`);
    }
    const value = parsed(data, "a frame");
    task = frameIn(
      surface.kind === "rpc" ? resultOf(value, surface.idJson) : value,
      formOf(request, surface.version),
      task,
    );
    lastEvent = seq;
  }
  if (task === undefined && !left) throw new ShapeError("a stream without any event");
  if (!left && task?.state === "working") throw new ShapeError("a stream that ended while its task works");
  return { outcome: "ok", task, lastEvent };
}

function resultOf(value: unknown, idJson: string | undefined): unknown {
  const envelope = fields(value, "a frame's envelope");
  if (envelope.jsonrpc !== "2.0" || !("result" in envelope)) {
    throw new ShapeError(`a frame's envelope is ${JSON.stringify(value).slice(0, 300)}`);
  }
  if (idJson !== undefined && JSON.stringify(envelope.id) !== idJson) throw new ShapeError("a frame of another id");
  return envelope.result;
}

/** Answers outside the protocol's envelopes: `{detail}`, cards, health, metrics, redirects. */
function readPlain(request: FuzzRequest, { status, headers, body }: RawResponse, type: string): Reading {
  const outcome = `http ${status}`;
  if (request.method === "HEAD" || status === 204 || status === 304 || status === 308) return { outcome };
  if (status === 101) {
    // The code 1008 of a close frame; its other bytes are no UTF-8.
    if (!body.includes("\u0002\u0003")) throw new ShapeError("an upgrade that is not closed");
    return { outcome: "http 101" };
  }
  if (status >= 400) {
    if (type !== "application/json") throw new ShapeError(`a ${status} of type ${type || "none"}`);
    if (request.surface.kind === "health") return { outcome };
    const code = restErrorIn(parsed(body, "an error"), status, request.target.includes("v1"));
    if (status === 401 && headers.get("www-authenticate") !== "Bearer") throw new ShapeError("a 401 without scheme");
    return { outcome: code === undefined ? outcome : String(code) };
  }
  if (request.surface.kind === "card") cardIn(parsed(body, "a card"));
  if (request.surface.kind === "health" && type !== "application/json") throw new ShapeError("health that is no JSON");
  if (request.surface.kind === "metrics" && !body.includes("process_resident_memory_bytes")) {
    throw new ShapeError("metrics without metrics");
  }
  return { outcome: status === 200 ? "ok" : outcome };
}
