/** The protocol's requests, valid as they come from here: operation, version, binding (A1, A2). */
import type { Random } from "../random.ts";
import type { FuzzRequest, Operation, Surface, Version } from "./fuzz-request.ts";

/** The services that are fuzzed: one without any credential, one with all of them. */
export type InstanceName = "open" | "gated";

/** Credentials of the gated instance. */
export const SECRETS = { bearer: "bearer-of-the-proof", apiKey: "key-of-the-proof", federation: "peer-of-the-proof" };
/** The only Origin that the gated instance allows for streams. */
export const LISTED_ORIGIN = "https://listed.example";

/** Who asks. On the open instance everybody is the operator. */
export type Who = "operator" | "federation";

/** Who asks whom. */
export interface Route {
  readonly instance: InstanceName;
  readonly who: Who;
  readonly version: Version;
  readonly binding: "rpc" | "rest";
}

/** An operation with its params, as JSON-RPC has them. */
export interface Ask {
  readonly operation: Operation;
  readonly params: { readonly [name: string]: unknown };
  readonly headers?: readonly (readonly [string, string])[];
  readonly expects?: readonly string[];
  readonly secret?: string;
  readonly leaveAfter?: number | undefined;
}

const METHODS: { readonly [version in Version]: { readonly [operation in Operation]?: string } } = {
  "0.3": {
    send: "message/send",
    stream: "message/stream",
    get: "tasks/get",
    cancel: "tasks/cancel",
    subscribe: "tasks/resubscribe",
    card: "agent/getAuthenticatedExtendedCard",
    "push-set": "tasks/pushNotificationConfig/set",
    "push-get": "tasks/pushNotificationConfig/get",
    "push-list": "tasks/pushNotificationConfig/list",
    "push-delete": "tasks/pushNotificationConfig/delete",
  },
  "1.0": {
    send: "SendMessage",
    stream: "SendStreamingMessage",
    get: "GetTask",
    list: "ListTasks",
    cancel: "CancelTask",
    subscribe: "SubscribeToTask",
    card: "GetExtendedAgentCard",
    "push-set": "CreateTaskPushNotificationConfig",
    "push-get": "GetTaskPushNotificationConfig",
    "push-list": "ListTaskPushNotificationConfigs",
    "push-delete": "DeleteTaskPushNotificationConfig",
  },
};

/** JSON-RPC method names of a version. */
export function methodNames(version: Version): readonly string[] {
  return Object.values(METHODS[version]);
}

/** A route drawn at random; federation callers exist on the gated instance only. */
export function drawRoute(random: Random): Route {
  const instance = random.pick(["open", "gated"] as const);
  return {
    instance,
    who: instance === "gated" && random.chance(0.3) ? "federation" : "operator",
    version: random.pick(["0.3", "1.0"] as const),
    binding: random.chance(0.65) ? "rpc" : "rest",
  };
}

/** Headers with which a request of this route passes access control. */
export function doorHeaders(random: Random, { instance, who }: Route, streams: boolean): [string, string][] {
  const headers: [string, string][] = [];
  if (instance === "open") {
    headers.push(["Host", random.pick(["localhost", "127.0.0.1:7870", "[::1]", "trusted.example", "LOCALHOST."])]);
  } else {
    headers.push(["Host", random.pick(["localhost", "agent.example", "10.1.2.3"])]);
    if (who === "federation") headers.push(["Authorization", `Bearer ${SECRETS.federation}`]);
    else if (random.chance(0.5)) headers.push(["Authorization", `bearer ${SECRETS.bearer}`]);
    else headers.push(["X-API-Key", SECRETS.apiKey]);
    if (streams) headers.push(["Origin", LISTED_ORIGIN]);
  }
  return headers;
}

function contentType(random: Random): [string, string] {
  const types = ["application/json", "application/json", "application/a2a+json", "application/json; charset=utf-8"];
  return ["Content-Type", random.pick(types)];
}

/** A body's bytes; a text may hold lone surrogates, which JSON escapes. */
export function bodyOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? "", "utf8");
}

/** How a version is sent: by header, by query, or, for 0.3, not at all (A1). */
function sentVersion(random: Random, version: Version): { headers: [string, string][]; query: string } {
  const way = random.int(0, version === "0.3" ? 2 : 1);
  if (way === 2) return { headers: [], query: "" };
  const exact = random.chance(0.8) ? version : `${version}.${random.int(0, 9)}`;
  return way === 1 ? { headers: [], query: `A2A-Version=${exact}` } : { headers: [["A2A-Version", exact]], query: "" };
}

/** Events after which a subscription of 1.0 is left: that of a task which waits for a person does not end (A7). */
function staysOpen({ version }: Route, operation: string): number | undefined {
  return version === "1.0" && operation === "subscribe" ? 1 : undefined;
}

/** A request over JSON-RPC. */
export function rpcRequest(random: Random, route: Route, ask: Ask): FuzzRequest {
  const { operation, params } = ask;
  const { headers, query } = sentVersion(random, route.version);
  const streams = operation === "stream" || operation === "subscribe";
  const drawn = random.pick([1, 0, -7, "a", "\u6f22", "", 2 ** 53 - 1, 1.5, null, undefined]);
  // A notification is answered with nothing, so what is expected of an answer is asked for with an id.
  const id = drawn === undefined && ask.expects !== undefined ? 2 : drawn;
  const method = METHODS[route.version][operation] ?? operation;
  return {
    label: `${route.version} rpc ${method}`,
    surface: { kind: "rpc", version: route.version, idJson: JSON.stringify(id ?? null) },
    operation,
    method: "POST",
    target: `${random.pick(["/a2a", "/a2a", "/a2a/"])}${query === "" ? "" : `?${query}`}`,
    headers: [...doorHeaders(random, route, streams), contentType(random), ...headers, ...(ask.headers ?? [])],
    body: bodyOf({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method, params }),
    framing: random.chance(0.9) ? "length" : "chunked",
    expects: ask.expects,
    secret: ask.secret,
    leaveAfter: ask.leaveAfter ?? staysOpen(route, operation),
  };
}

interface RestForm {
  readonly method: string;
  readonly path: string;
  readonly query?: { readonly [name: string]: unknown };
  readonly body?: unknown;
}

function restForm(random: Random, { operation, params }: Ask, version: Version): RestForm {
  const isPush = operation.startsWith("push-");
  const id = segment(isPush ? (params.taskId ?? params.id) : params.id);
  const { id: ownId, taskId: _taskId, ...more } = params;
  // 1.0 names the config so, and everything else the task.
  const rest = isPush && version === "1.0" && ownId !== undefined ? { ...more, id: ownId } : more;
  switch (operation) {
    case "send":
      return { method: "POST", path: "/message:send", body: params };
    case "stream":
      return { method: "POST", path: "/message:stream", body: params };
    case "get":
      return { method: "GET", path: `/tasks/${id}`, query: rest };
    case "list":
      return { method: "GET", path: "/tasks", query: params };
    case "cancel":
      return { method: "POST", path: `/tasks/${id}:cancel`, body: rest };
    case "subscribe":
      return { method: random.pick(["GET", "POST"]), path: `/tasks/${id}:subscribe` };
    case "card":
      return { method: "GET", path: "/extendedAgentCard" };
    case "push-set":
      return { method: "POST", path: `/tasks/${id}/${pushName(random)}`, body: version === "0.3" ? params : rest };
    case "push-list":
      return { method: "GET", path: `/tasks/${id}/${pushName(random)}`, query: rest };
    case "push-get":
    case "push-delete": {
      const config = segment(params.pushNotificationConfigId ?? params.id);
      return {
        method: operation === "push-get" ? "GET" : "DELETE",
        path: `/tasks/${id}/pushNotificationConfigs/${config}`,
      };
    }
  }
}

/** Any value as one segment of a path, never an empty one: that would be another path. */
function segment(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return encodeURIComponent(text.toWellFormed()) || "x";
}

/** The alias (B17) is in the singular. */
function pushName(random: Random): string {
  return random.pick(["pushNotificationConfigs", "pushNotificationConfig"]);
}

/** Where HTTP+JSON lies for an operation of a version: under /a2a; 0.3 also under /v1; two streams at the root. */
function prefixFor(random: Random, { version, who }: Route, operation: Operation): string {
  const prefixes = ["/a2a", "/a2a"];
  if (version === "0.3" && operation !== "list") prefixes.push("/v1");
  if (who === "operator" && (operation === "stream" || operation === "subscribe")) prefixes.push("");
  return random.pick(prefixes);
}

/** A request over HTTP+JSON. */
export function restRequest(random: Random, route: Route, ask: Ask): FuzzRequest {
  const { operation } = ask;
  const prefix = prefixFor(random, route, operation);
  const form = restForm(random, ask, route.version);
  const sent = sentVersion(random, route.version);
  const path = prefix === "/v1" && operation === "card" ? "/card" : form.path;
  const query = [sent.query, ...Object.entries(form.query ?? {}).map(queryOf)].filter((text) => text !== "").join("&");
  const streams = operation === "stream" || operation === "subscribe";
  const body = form.body === undefined ? (form.method === "POST" ? {} : undefined) : form.body;
  const surface: Surface = { kind: "rest", version: route.version };
  return {
    label: `${route.version} rest ${operation}`,
    surface,
    operation,
    method: form.method,
    target: `${prefix}${path}${query === "" ? "" : `?${query}`}`,
    headers: [
      ...doorHeaders(random, route, streams),
      ...(body === undefined ? [] : [contentType(random)]),
      ...sent.headers,
      ...(ask.headers ?? []),
    ],
    body: body === undefined ? undefined : bodyOf(body),
    framing: random.chance(0.9) ? "length" : "chunked",
    expects: ask.expects,
    secret: ask.secret,
    leaveAfter: ask.leaveAfter ?? staysOpen(route, operation),
  };
}

function queryOf([name, value]: [string, unknown]): string {
  const text = typeof value === "string" ? value.toWellFormed() : (JSON.stringify(value) ?? "");
  return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text)}`;
}

/** A request over the route's binding. */
export function request(random: Random, route: Route, ask: Ask): FuzzRequest {
  return route.binding === "rpc" ? rpcRequest(random, route, ask) : restRequest(random, route, ask);
}
