/** Cases below the protocol: access control, headers, paths, and the bytes themselves. */
import type { Random } from "../random.ts";
import type { FuzzRequest, Surface } from "./fuzz-request.ts";
import { bodyOf, doorHeaders, drawRoute, LISTED_ORIGIN, type Route, request, rpcRequest, SECRETS } from "./grammar.ts";
import type { Transmission } from "./http-connection.ts";
import { plainParams } from "./messages.ts";
import type { Scenario } from "./scenario.ts";
import { drawAsk } from "./scenarios-single.ts";
import { strangeText } from "./values.ts";

/** Paths for everyone (B27), cards first. */
const publicPath: Scenario = async ({ random, send }) => {
  const { instance } = drawRoute(random);
  const [path, kind] = random.pick([
    ["/.well-known/agent-card.json", "card"],
    ["/.well-known/agent.json", "card"],
    ["/a2a/.well-known/agent-card.json", "card"],
    ["/healthz", "health"],
    ["/metrics", "metrics"],
    ["/", "plain"],
    ["/app/", "plain"],
  ] as const);
  // Scraping thousands of times is no real use of metrics, and each is a long text.
  const target = kind === "metrics" && random.chance(0.8) ? "/healthz" : path;
  const method = random.pick(["GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "DELETE"]);
  const headers: [string, string][] = [["Host", "localhost"]];
  if (random.chance(0.3))
    headers.push(["If-None-Match", random.pick(["*", '"x"', 'W/"y", "z"', strangeHeader(random)])]);
  if (random.chance(0.3)) headers.push(["A2A-Version", random.pick(["1.0", "0.3", "9", ""])]);
  if (random.chance(0.2)) headers.push(["Origin", random.pick([LISTED_ORIGIN, "https://evil.example", "null"])]);
  if (method === "OPTIONS") headers.push(["Access-Control-Request-Method", "POST"]);
  const surface = { kind: target === path ? kind : "health" } as const;
  await send(instance, { label: `public ${method}`, surface, operation: "card", method, target, headers });
};

/** A text that a header can carry over the wire, if anything can. */
function strangeHeader(random: Random): string {
  return strangeText(random)
    .replace(/[\r\n\0]/g, "")
    .replace(/[^\x20-\x7e\x80-\xff]/g, "?")
    .slice(0, 2_000)
    .trim();
}

/** Headers that access control refuses, with the expected status (B23 to B29; S1, S4). */
const refusedHeaders: Scenario = async ({ random, contexts, send }) => {
  const route = drawRoute(random);
  const made = request(random, route, drawAsk(random, route.version, contexts));
  const streams = made.operation === "stream" || made.operation === "subscribe";
  const kind = random.int(0, route.instance === "open" ? 0 : streams ? 2 : 1);
  const without = (name: string) => made.headers.filter(([each]) => each !== name);
  if (kind === 0 && route.instance === "open") {
    const host = random.pick(["evil.example", "localhost.evil.example", "169.254.1.1", "localhost@evil.example", "0"]);
    const headers: [string, string][] = [["Host", host], ...without("Host").map(([a, b]): [string, string] => [a, b])];
    if (random.chance(0.3)) headers.push(["X-Forwarded-Host", "localhost"]);
    return void (await send(route.instance, {
      ...made,
      label: "access: Host",
      headers,
      expects: ["http 403", "http 400"],
    }));
  }
  if (kind === 2) {
    const origin: [string, string][] = random.chance(0.3)
      ? []
      : [["Origin", random.pick(["https://evil.example", "null"])]];
    const headers = [...without("Origin"), ...origin];
    // What is nested too deep is refused when it is read, which is before a JSON-RPC method is known.
    const expects = ["http 403", "-32600"];
    return void (await send(route.instance, { ...made, label: "access: Origin", headers, expects }));
  }
  const wrong = random.pick([
    [],
    ["Authorization", `Bearer ${SECRETS.bearer}x`],
    ["Authorization", `Basic ${SECRETS.bearer}`],
    ["Authorization", "Bearer"],
    ["Authorization", strangeHeader(random)],
    ["X-API-Key", strangeHeader(random)],
    ["X-API-Key", SECRETS.bearer],
  ]) as [] | [string, string];
  const kept = made.headers.filter(([name]) => name !== "Authorization" && name !== "X-API-Key");
  const headers = wrong.length === 0 ? kept : [...kept, wrong];
  await send(route.instance, { ...made, label: "access: credential", headers, expects: ["http 401"] });
};

/** Headers around a good request that are there to confuse. */
const strangeHeaders: Scenario = async ({ random, contexts, send }) => {
  const route = drawRoute(random);
  const made = request(random, route, drawAsk(random, route.version, contexts));
  const more = Array.from({ length: random.int(1, 4) }, (): [string, string] => {
    const name = random.pick([
      "A2A-Version",
      "A2A-Extensions",
      "X-A2A-Extensions",
      "Idempotency-Key",
      "Last-Event-ID",
      "Accept",
      "Accept-Encoding",
      "Content-Encoding",
      "Content-Type",
      "X-Forwarded-For",
      "X-Forwarded-Host",
      "X-HTTP-Method-Override",
      "Origin",
      "Sec-Fetch-Site",
      "Cookie",
      "Range",
      "If-None-Match",
      "If-Modified-Since",
      "TE",
      "Trailer",
      "Forwarded",
      "X-Strange",
    ]);
    return [name, random.chance(0.3) ? goodValue(random) : strangeHeader(random)];
  });
  // The version of an error then depends on the headers that the service has read.
  const surface = more.some(([name]) => name === "A2A-Version") ? eitherVersion(made.surface) : made.surface;
  await send(route.instance, { ...made, label: "strange headers", surface, headers: [...made.headers, ...more] });
};

function eitherVersion(surface: Surface): Surface {
  return surface.kind === "rpc" || surface.kind === "rest" ? { ...surface, version: "either" } : surface;
}

function goodValue(random: Random): string {
  return random.pick([
    "gzip",
    "application/json",
    "text/event-stream",
    "urn:agent-service:a2a:ext:cost-v1, urn:agent-service:a2a:ext:reasoning-v1",
    "identity",
    "cross-site",
    "1",
    "bytes=0-10",
  ]);
}

/** Bodies under a type that is not JSON, or none at all (A4: 415). */
const contentTypes: Scenario = async ({ random, send }) => {
  const route = drawRoute(random);
  const operation = random.pick(["send", "stream"] as const);
  const made = request(random, route, { operation, params: plainParams(route.version, "/say x") });
  const type = random.pick([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "json",
    "",
    "*/*",
  ]);
  const headers = made.headers.filter(([name]) => name !== "Content-Type");
  const declared: [string, string][] = random.chance(0.2) ? [] : [["Content-Type", type]];
  await send(route.instance, {
    ...made,
    label: "content type",
    headers: [...headers, ...declared],
    expects: ["http 415"],
  });
};

const SEGMENTS = [
  ..."a2a v1 tasks tasks message:send message:stream card extendedAgentCard .well-known agent-card.json api app".split(
    " ",
  ),
  ...[
    "pushNotificationConfigs",
    "x",
    "x:cancel",
    "x:subscribe",
    ":cancel",
    "..",
    ".",
    "",
    "%2e%2e",
    "%2F",
    "%00",
    "%",
    "%zz",
  ],
  ...["%c0%af", "%ff", "a%20b", "\\", ";x=1", "~", "{id}", "*", "%252e%252e", "a".repeat(3_000), "agents", "healthz"],
];

/** Paths that do not exist. */
const strangePath: Scenario = async ({ random, send }) => {
  const route = drawRoute(random);
  const segments = Array.from({ length: random.int(1, 6) }, () => random.pick(SEGMENTS));
  const query = random.chance(0.3)
    ? `?${random.pick(["A2A-Version=1.0", "%", "a=%zz&&=", "id[]=1", "?", "pageSize=-1"])}`
    : "";
  const method = random.pick(["GET", "GET", "POST", "HEAD", "DELETE", "PUT", "PATCH", "OPTIONS"]);
  const body = method === "POST" || random.chance(0.1) ? bodyOf({ jsonrpc: "2.0", id: 1, method: "x" }) : undefined;
  await send(route.instance, {
    label: "strange path",
    surface: { kind: "plain" },
    operation: undefined,
    method,
    target: `/${segments.join("/")}${query}`,
    headers: [
      ...doorHeaders(random, route, random.chance(0.7)),
      ...(body === undefined ? [] : ([["Content-Type", "application/json"]] as const)),
    ],
    body,
  });
};

/** WebSocket handshakes and other upgrades, allowed and refused (S4). */
const upgrade: Scenario = async ({ random, send }) => {
  const { instance } = drawRoute(random);
  const isBad = random.chance(0.5);
  const host = instance === "open" && isBad ? "evil.example" : "localhost";
  const headers = [
    `Host: ${host}`,
    "Connection: Upgrade",
    `Upgrade: ${random.pick(["websocket", "websocket", "websocket", "h2c", "TLS/1.0", strangeHeader(random)])}`,
    `Sec-WebSocket-Version: ${random.pick(["13", "13", "13", "8", ""])}`,
    `Sec-WebSocket-Key: ${random.pick(["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ==", "x", ""])}`,
    ...(instance === "gated" && isBad ? ["Origin: https://evil.example"] : []),
  ];
  const target = random.pick(["/a2a", "/", "/healthz", "/nothing", "/api/x"]);
  const text = `GET ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`;
  const raw = { pieces: [Buffer.from(text, "latin1")] };
  await send(instance, { ...bytes(raw, "upgrade"), surface: { kind: "plain" } });
};

function bytes(raw: Transmission, label: string, expects?: readonly string[]): FuzzRequest {
  const surface = { kind: "bytes" } as const;
  return { label, surface, operation: undefined, method: "", target: "", headers: [], raw, expects };
}

type BytesRow = (random: Random, head: string, body: Buffer) => string;

/** Valid and invalid declarations of a body's length. `head` ends in a line break; a body of JSON follows. */
const FRAMINGS: readonly BytesRow[] = [
  (_, head, body) => `${head}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  (_, head, body) => `${head}Content-Length: ${body.length}\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`,
  (_, head, body) => `${head}Content-Length: ${body.length + 50}\r\n\r\n${body}`,
  (random, head, body) =>
    `${head}Content-Length: ${random.pick(["-1", "x", "0x10", "1e3", "+5", "9".repeat(30)])}\r\n\r\n${body}`,
  (random, head) =>
    `${head}Transfer-Encoding: ${random.pick(["xchunked", "chunked, identity", "gzip", "chunked\t"])}\r\n\r\n0\r\n\r\n`,
  (random, head) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n${random.pick(["zz", "-1", "fffffffffffffffff", "5;"])}\r\nhello\r\n0\r\n\r\n`,
  (_, head, body) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)};a=${"b".repeat(100)}\r\n${body}\r\n0\r\nTrailer: x\r\n\r\n`,
  (_, head, body) => `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
  (_, head, body) => `${head}Content-Length : ${body.length}\r\n\r\n${body}`,
  (_, head, body) => `${head}Folded: a\r\n b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  (_, head, body) => `${head.replaceAll("\r\n", "\n")}Content-Length: ${body.length}\n\n${body}`,
  (_, head, body) => `${head}X-Nul: a\0b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  (_, head, body) => `${head}Host: second.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  (random, head, body) =>
    `${head}Expect: ${random.pick(["100-continue", "200-ok", "x"])}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  (_, head, body) => `${head}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  (_, head, body) => `${head.replace("HTTP/1.1", "HTTP/1.0")}Content-Length: ${body.length}\r\n\r\n${body}`,
];

/** Requests whose bytes lie about themselves. Never more than one answer, or bytes of one would be another's request. */
const framing: Scenario = async ({ random, send }) => {
  const route: Route = { ...drawRoute(random), binding: "rpc", version: "0.3" };
  const made = rpcRequest(random, route, { operation: "send", params: plainParams("0.3", "/say x") });
  const lines = made.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = `POST /a2a HTTP/1.1\r\n${lines}`;
  const text = random.pick(FRAMINGS)(random, head, made.body as Buffer);
  const whole = Buffer.from(text, "latin1");
  const raw = { pieces: cut(random, whole), pauseMs: random.int(0, 2), ending: "half-close" } as const;
  await send(route.instance, bytes(raw, "framing"));
};

/** The bytes in up to six pieces. */
function cut(random: Random, whole: Buffer): Buffer[] {
  const cuts = Array.from({ length: random.int(0, 5) }, () => random.int(1, Math.max(1, whole.length - 1)));
  const ends = [...cuts, whole.length].sort((a, b) => a - b);
  return ends.map((end, i) => whole.subarray(i === 0 ? 0 : ends[i - 1], end)).filter((piece) => piece.length > 0);
}

const START_LINES = [
  "GET /healthz",
  "GET  /healthz HTTP/1.1",
  "GET /healthz HTTP/3.0",
  "get /healthz HTTP/1.1",
  "PRI * HTTP/2.0",
  "OPTIONS * HTTP/1.1",
  "CONNECT evil.example:443 HTTP/1.1",
  "TRACE /a2a HTTP/1.1",
  "GET http://evil.example/a2a HTTP/1.1",
  "GET http://localhost/healthz HTTP/1.1",
  "GET //evil.example/healthz HTTP/1.1",
  "GET ?x HTTP/1.1",
  "GET /\u0000 HTTP/1.1",
  "GET /\u00ff HTTP/1.1",
  "QUERY /a2a HTTP/1.1",
  "\u0016\u0003\u0001\u0002\u0000",
];

/** First lines that are hardly ones. */
const startLine: Scenario = async ({ random, send }) => {
  const { instance } = drawRoute(random);
  const line = random.chance(0.1) ? `GET /${"x".repeat(40_000)} HTTP/1.1` : random.pick(START_LINES);
  const headers = random.pick([
    "Host: localhost\r\n",
    "Host: a b\r\n",
    "",
    "Host: localhost\r\n".repeat(2),
    "Host:\r\n",
  ]);
  const whole = Buffer.from(`${line}\r\n${headers}\r\n`, "latin1");
  await send(instance, bytes({ pieces: cut(random, whole), ending: "half-close" }, "first line"));
};

/** Who leaves in the middle, at any byte. */
const leaving: Scenario = async ({ random, contexts, send }) => {
  const route = drawRoute(random);
  const made = request(random, route, drawAsk(random, route.version, contexts));
  const lines = made.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const { body = Buffer.alloc(0) } = made;
  const head = `${made.method} ${made.target} HTTP/1.1\r\n${lines}Content-Length: ${body.length}\r\n\r\n`;
  const whole = Buffer.concat([Buffer.from(head, "latin1"), body]);
  const part = whole.subarray(0, random.int(1, whole.length));
  const ending = random.pick(["half-close", "destroy"] as const);
  await send(
    route.instance,
    bytes({ pieces: cut(random, part), pauseMs: random.int(0, 2), ending }, "left in the middle"),
  );
};

/** Several requests in one go, each with an answer of its own, in order. */
const pipelined: Scenario = async ({ random, send }) => {
  const { instance } = drawRoute(random);
  const count = random.int(2, 6);
  const one = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const raw = { pieces: cut(random, Buffer.from(one.repeat(count))), responses: count };
  const made = bytes(raw, "pipelined", ["ok"]);
  await send(instance, { ...made, surface: { kind: "health" } });
};

/** Cases below the protocol, with their shares. */
export const HTTP_SCENARIOS: readonly (readonly [share: number, scenario: Scenario])[] = [
  [3, publicPath],
  [5, refusedHeaders],
  [4, strangeHeaders],
  [1, contentTypes],
  [6, strangePath],
  [1, upgrade],
  [2, framing],
  [1, startLine],
  [1, leaving],
  [0.3, pipelined],
];
