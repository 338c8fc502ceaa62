/** What answers must look like, worked out from the specification, without the code under test. */
import type { Operation, Version } from "./fuzz-request.ts";

/** A JSON value that was parsed. */
export type Json = unknown;
type Fields = { readonly [name: string]: unknown };

/** A task as an answer or a frame showed it, whatever the version. */
export interface SeenTask {
  readonly id: string;
  readonly contextId: string;
  /** Its value on the wire (B15). */
  readonly state: string;
  /** The prompt it waits for. */
  readonly promptId?: string;
}

/** The five states on the wire, and their names in 1.0. */
const STATES: { readonly [version in Version]: ReadonlyMap<string, string> } = {
  "0.3": new Map(["working", "input-required", "completed", "canceled", "failed"].map((state) => [state, state])),
  "1.0": new Map([
    ["TASK_STATE_WORKING", "working"],
    ["TASK_STATE_INPUT_REQUIRED", "input-required"],
    ["TASK_STATE_COMPLETED", "completed"],
    ["TASK_STATE_CANCELED", "canceled"],
    ["TASK_STATE_FAILED", "failed"],
  ]),
};

/** States after which nothing happens. */
export const TERMINAL: readonly string[] = ["completed", "canceled", "failed"];

/** The answer is not in its documented shape. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";
  readonly code = "shape";
}

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new ShapeError(what);
}

/** A JSON object. Throws `ShapeError`. */
export function fields(value: Json, what: string): Fields {
  must(typeof value === "object" && value !== null && !Array.isArray(value), `${what} is no object`);
  return value as Fields;
}

function text(value: Json, what: string): string {
  must(typeof value === "string" && value !== "", `${what} is no text`);
  return value;
}

function list(value: Json, what: string): readonly Json[] {
  must(Array.isArray(value), `${what} is no list`);
  return value;
}

/** JSON. Throws `ShapeError`. */
export function parsed(body: string, what: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    throw new ShapeError(`${what} is not JSON: ${body.slice(0, 200)}`);
  }
}

function part(value: Json, version: Version): Fields {
  const one = fields(value, "a part");
  if (version === "0.3") {
    const kind = text(one.kind, "the kind of a part");
    must(["text", "file", "data"].includes(kind), `a part of kind ${kind}`);
    must(kind in one && (kind !== "text" || typeof one.text === "string"), `a ${kind} part without its ${kind}`);
  } else {
    must(!("kind" in one), "a 1.0 part with a kind");
    const contents = ["text", "raw", "url", "data"].filter((name) => name in one);
    must(contents.length === 1, `a part with ${contents.join(" and ") || "nothing"}`);
  }
  return one;
}

function message(value: Json, version: Version): readonly Fields[] {
  const one = fields(value, "a message");
  if (version === "0.3") must(one.kind === "message", "a message without its kind");
  text(one.messageId, "a messageId");
  const roles = version === "0.3" ? ["user", "agent"] : ["ROLE_USER", "ROLE_AGENT"];
  must(roles.includes(String(one.role)), `a message of role ${String(one.role)}`);
  return list(one.parts, "the parts of a message").map((each) => part(each, version));
}

function status(value: Json, version: Version): { readonly state: string; readonly promptId?: string } {
  const one = fields(value, "a status");
  const state = STATES[version].get(String(one.state));
  must(state !== undefined, `a task in state ${String(one.state)}`);
  if (one.timestamp !== undefined) {
    must(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(JSON.stringify(one.timestamp).slice(1, -1)),
      "a timestamp that is none (N4)",
    );
  }
  const parts = one.message === undefined ? [] : message(one.message, version);
  must(state !== "input-required" || parts.length > 0, "input-required without a question");
  for (const { data } of parts) {
    const promptId = (data as Fields | undefined)?.promptId;
    if (typeof promptId === "string") return { state, promptId };
  }
  return { state };
}

function artifact(value: Json, version: Version): void {
  const one = fields(value, "an artifact");
  text(one.artifactId, "an artifactId");
  const parts = list(one.parts, "the parts of an artifact");
  must(parts.length > 0, "an artifact without parts");
  for (const each of parts) part(each, version);
}

/** A Task. Throws `ShapeError`. */
export function taskIn(value: Json, version: Version): SeenTask {
  const one = fields(value, "a task");
  if (version === "0.3") must(one.kind === "task", "a task without its kind");
  else must(!("kind" in one), "a 1.0 task with a kind");
  for (const each of one.artifacts === undefined ? [] : list(one.artifacts, "artifacts")) artifact(each, version);
  for (const each of one.history === undefined ? [] : list(one.history, "a history")) message(each, version);
  return {
    id: text(one.id, "a task's id"),
    contextId: text(one.contextId, "a task's contextId"),
    ...status(one.status, version),
  };
}

/**
 * The kind of a result or frame: its `kind` (0.3 over JSON-RPC), or its one key (1.0,
 * and HTTP+JSON in both versions).
 */
export interface Form {
  readonly version: Version;
  readonly keyed: boolean;
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ["task", "task"],
  ["status-update", "statusUpdate"],
  ["artifact-update", "artifactUpdate"],
]);

/** A frame of a stream: the Task, or what it became. Throws `ShapeError`. */
export function frameIn(value: Json, { version, keyed }: Form, task: SeenTask | undefined): SeenTask {
  const one = fields(value, "a frame");
  const keys = Object.keys(one);
  const name = keyed ? keys[0] : KINDS.get(String(one.kind));
  must(name !== undefined && (!keyed || keys.length === 1), `a frame of ${keyed ? keys.join() : String(one.kind)}`);
  const content = keyed ? fields(one[name], name) : one;
  if (version === "0.3") must(KINDS.get(String(content.kind)) === name, `a ${name} of kind ${String(content.kind)}`);
  if (name === "task") return taskIn(content, version);
  must(task !== undefined, `a stream that begins with ${name}`);
  must(content.taskId === task.id && content.contextId === task.contextId, "a frame of another task");
  must(name === "statusUpdate" || name === "artifactUpdate", `a frame under ${name}`);
  if (name === "statusUpdate") return { id: task.id, contextId: task.contextId, ...status(content.status, version) };
  artifact(content.artifact, version);
  return task;
}

/** A card: hybrid, or of 1.0 alone (A3). Throws `ShapeError`. */
export function cardIn(value: Json): void {
  const one = fields(value, "a card");
  for (const name of ["name", "description", "version"]) text(one[name], `the card's ${name}`);
  fields(one.capabilities, "the card's capabilities");
  list(one.skills, "the card's skills");
  must(list(one.supportedInterfaces, "supportedInterfaces").length > 0, "a card without interfaces");
}

/** The result of an operation; the task it shows, if it is one. Throws `ShapeError`. */
export function resultIn(value: Json, operation: Operation, { version, keyed }: Form): SeenTask | undefined {
  switch (operation) {
    case "send":
      return keyed ? taskIn(fields(value, "a result").task, version) : taskIn(value, version);
    case "get":
    case "cancel":
      return taskIn(value, version);
    case "stream":
    case "subscribe":
      throw new ShapeError("a streaming operation answered with one result");
    case "card":
      cardIn(value);
      return undefined;
    case "list": {
      const page = fields(value, "a page of tasks");
      for (const each of list(page.tasks, "tasks")) taskIn(each, version);
      must(typeof page.nextPageToken === "string", "a page without nextPageToken");
      return undefined;
    }
    default:
      return undefined;
  }
}

const DOCUMENTED_CODES = [
  -32700, -32600, -32601, -32602, -32603, -32001, -32002, -32003, -32004, -32005, -32006, -32007, -32008, -32009,
];

/** The `google.rpc.ErrorInfo` that every error of 1.0 carries; its reason. Throws `ShapeError`. */
function errorInfo(details: Json): string {
  const infos = list(details, "the details of a 1.0 error").map((each) => fields(each, "a detail"));
  const info = infos.find((each) => each["@type"] === "type.googleapis.com/google.rpc.ErrorInfo");
  must(info !== undefined, "a 1.0 error without ErrorInfo");
  must(info.domain === "a2a-protocol.org", `an ErrorInfo of ${String(info.domain)}`);
  return text(info.reason, "an ErrorInfo's reason");
}

/** The number of an error object of JSON-RPC (A4). Throws `ShapeError`. */
export function errorCodeIn(value: Json, version: Version): number {
  const error = fields(value, "an error");
  text(error.message, "an error's message");
  must(DOCUMENTED_CODES.includes(error.code as number), `an error of code ${String(error.code)}`);
  if (version === "1.0") errorInfo(error.data);
  return error.code as number;
}

/** The numbers of 1.0's names (A4). */
const CODES: { readonly [reason: string]: number } = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32007,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
};

/** An error as chat clients read it (V1). Throws `ShapeError`. */
function chatErrorIn(value: Json): void {
  const { message, type, param, code } = fields(value, "an error");
  must(typeof message === "string" && message !== "", "an error without message");
  must(typeof type === "string" && type !== "", "an error without type");
  must(param === null || typeof param === "string", "an error without param");
  must(code === null || typeof code === "string", "an error without code");
}

/**
 * The number that an error of HTTP+JSON stands for, or undefined for a `{detail}`. `forChat`: below `/v1` chat clients
 * get their own format too. Throws `ShapeError`.
 */
export function restErrorIn(value: Json, http: number, forChat: boolean): number | undefined {
  const body = fields(value, "an error's body");
  if (body.error !== undefined) {
    const error = fields(body.error, "an error");
    if (forChat && "type" in error) {
      chatErrorIn(error);
      return undefined;
    }
    must(error.code === http, `an error of code ${String(error.code)} under ${http}`);
    text(error.message, "an error's message");
    text(error.status, "an error's status");
    const code = CODES[errorInfo(error.details)];
    must(code !== undefined, "an ErrorInfo of an unknown reason");
    return underStatus(code, http);
  }
  text(body.detail, "an error's detail");
  return body.code === undefined ? undefined : underStatus(errorCodeIn(body, "0.3"), http);
}

/** Holds a number against the HTTP status it came under (A2A 1.0.1 "Errors"). Throws `ShapeError`. */
function underStatus(code: number, http: number): number {
  const status = code === -32001 || code === -32601 ? 404 : 400;
  must(http === status || (code === -32603 && http !== 200), `${code} under ${http}`);
  return code;
}
