/** Cases of one request: valid, nearly valid, and hostile in its params, its text, or its envelope. */
import type { Random } from "../random.ts";
import type { FuzzRequest, Operation, Version } from "./fuzz-request.ts";
import { type Ask, bodyOf, drawRoute, methodNames, request, rpcRequest } from "./grammar.ts";
import { plainParams, richParams, script } from "./messages.ts";
import type { Scenario } from "./scenario.ts";
import { nested, spoiled, spoiledText, strangeText, strangeValue, wrongId } from "./values.ts";

const OPERATIONS: readonly Operation[] = ["send", "send", "send", "stream", "stream", "get", "cancel", "subscribe"];
const RARE: readonly Operation[] = ["card", "list", "push-set", "push-get", "push-list", "push-delete"];

/** Params of an operation, well formed; ids are unknown. */
export function drawAsk(random: Random, version: Version, contexts: readonly string[]): Ask {
  const drawn = random.chance(0.85) ? random.pick(OPERATIONS) : random.pick(RARE);
  const operation = drawn === "list" && version === "0.3" ? "card" : drawn;
  if (operation === "send" || operation === "stream") {
    return { operation, params: richParams(random, version, contexts), leaveAfter: leaves(random) };
  }
  return { operation, params: paramsOf(random, operation, version) };
}

function leaves(random: Random): number | undefined {
  return random.chance(0.2) ? random.int(0, 3) : undefined;
}

function paramsOf(random: Random, operation: Operation, version: Version): { [name: string]: unknown } {
  const id = wrongId(random);
  switch (operation) {
    case "card":
      return {};
    case "list":
      return random.pick([
        {},
        { pageSize: random.int(-1, 200) },
        { contextId: id },
        { pageToken: strangeText(random) },
      ]);
    case "get":
      return { id, ...(random.chance(0.3) && { historyLength: random.int(0, 3) }) };
    case "subscribe":
      return { id, ...(random.chance(0.3) && { metadata: { after: random.int(0, 9) } }) };
    case "push-set": {
      const url = random.pick(["http://127.0.0.1:1/hook", "http://10.0.0.1/", "ftp://x/", "http://[::1]/", "x", ""]);
      const config = { url, token: strangeText(random) };
      return version === "1.0" ? { taskId: id, ...config } : { taskId: id, pushNotificationConfig: config };
    }
    case "push-get":
    case "push-delete":
      return version === "1.0" ? { taskId: id, id: "c" } : { id, pushNotificationConfigId: "c" };
    case "push-list":
      return version === "1.0" ? { taskId: id } : { id };
    default:
      return { id };
  }
}

/** A request as a good client sends it. */
const valid: Scenario = async ({ random, contexts, send }) => {
  const route = drawRoute(random);
  await send(route.instance, request(random, route, drawAsk(random, route.version, contexts)));
};

/** A plain message, which has to succeed. */
const plainSend: Scenario = async ({ random, send }) => {
  const route = drawRoute(random);
  const operation = random.pick(["send", "stream"] as const);
  const params = plainParams(route.version, random.pick(["hello", "/say hi", "/stream 5"]));
  await send(route.instance, request(random, route, { operation, params, expects: ["ok"] }));
};

/** An unknown id, under every operation that reads one (A4). */
const unknownTask: Scenario = async ({ random, send }) => {
  const route = drawRoute(random);
  const operation = random.pick(["get", "cancel", "subscribe"] as const);
  const params = { id: `nobody-${random.int(0, 1e9)}` };
  await send(route.instance, request(random, route, { operation, params, expects: ["-32001"] }));
};

/** Params with a few invalid members. */
const spoiledParams: Scenario = async ({ random, contexts, send }) => {
  const route = drawRoute(random);
  const ask = drawAsk(random, route.version, contexts);
  const params = spoiled(random, ask.params);
  const isObject = typeof params === "object" && params !== null && !Array.isArray(params);
  const bent = { ...ask, params: (isObject ? params : { value: params }) as Ask["params"] };
  await send(route.instance, request(random, { ...route, binding: isObject ? route.binding : "rpc" }, bent));
};

/** A body that is spoiled as a text. */
const spoiledBody: Scenario = async ({ random, contexts, send }) => {
  const route = drawRoute(random);
  const made = request(random, route, drawAsk(random, route.version, contexts));
  if (made.body === undefined) return void (await send(route.instance, made));
  await send(route.instance, withText(made, spoiledText(random, made.body.toString())));
};

/** The same request with another body, of which only its shape as an answer is known. */
function withText(made: FuzzRequest, text: string | Buffer): FuzzRequest {
  const { surface } = made;
  return {
    ...made,
    label: `${made.label}, spoiled text`,
    // Whatever the text asks for now, its id cannot be known.
    surface: surface.kind === "rpc" ? { ...surface, idJson: undefined } : surface,
    body: Buffer.from(text),
    expects: undefined,
  };
}

type EnvelopeRow = readonly [code: string, envelope: (random: Random, method: string) => unknown];

/** A4, row by row. */
const ENVELOPES: readonly EnvelopeRow[] = [
  ["-32600", () => []],
  ["-32600", (_, method) => [{ jsonrpc: "2.0", id: 1, method, params: {} }]],
  ["-32600", (random) => random.pick([null, 7, "x", true])],
  ["-32600", (_, method) => ({ id: 1, method, params: {} })],
  ["-32600", (random, method) => ({ jsonrpc: random.pick(["1.0", 2, "2", null]), id: 1, method, params: {} })],
  ["-32600", () => ({ jsonrpc: "2.0", id: 1, params: {} })],
  ["-32600", (random) => ({ jsonrpc: "2.0", id: 1, method: random.pick([7, null, {}, ""]), params: {} })],
  ["-32600", (random, method) => ({ jsonrpc: "2.0", id: random.pick([{}, [], true]), method, params: {} })],
  ["-32600", (_, method) => ({ jsonrpc: "2.0", id: "i".repeat(2_000), method, params: {} })],
  ["-32600", (random, method) => ({ jsonrpc: "2.0", id: 1, method, params: nested(random.int(64, 500), true) })],
  ["-32601", (random) => ({ jsonrpc: "2.0", id: 1, method: `x${strangeText(random)}`, params: {} })],
  ["-32602", (random, method) => ({ jsonrpc: "2.0", id: 1, method, params: random.pick([null, [], 7, "x", {}]) })],
];

const envelope: Scenario = async ({ random, send }) => {
  const route = { ...drawRoute(random), binding: "rpc" as const };
  const operation = random.pick(["send", "stream", "get", "cancel", "subscribe"] as const);
  const made = rpcRequest(random, route, { operation, params: {} });
  const [code, build] = random.pick(ENVELOPES);
  const method = (JSON.parse((made.body as Buffer).toString()) as { method: string }).method;
  const bent = withText(made, bodyOf(build(random, method)));
  await send(route.instance, { ...bent, label: `envelope ${code}`, expects: [code] });
};

/** A method of the other version is none (A1). */
const otherVersion: Scenario = async ({ random, send }) => {
  const route = { ...drawRoute(random), binding: "rpc" as const };
  const method = random.pick(methodNames(route.version === "1.0" ? "0.3" : "1.0"));
  const made = rpcRequest(random, route, { operation: "get", params: { id: "x" } });
  const body = bodyOf({ jsonrpc: "2.0", id: 3, method, params: { id: "x" } });
  await send(route.instance, { ...withText(made, body), label: "a method of the other version", expects: ["-32601"] });
};

type Fields = { readonly [name: string]: unknown };
/** Fields of the message and of the params; undefined takes one away. */
interface Bend {
  readonly message?: Fields;
  readonly params?: Fields;
}
type MessageRow = readonly [code: string, bend: (random: Random, version: Version) => Bend];

/** Messages that A4 refuses with a code of its own. */
const MESSAGES: readonly MessageRow[] = [
  ["-32602", () => ({ message: { parts: [] } })],
  ["-32602", () => ({ message: { parts: undefined } })],
  ["-32602", () => ({ message: { role: undefined } })],
  ["-32602", (random) => ({ message: { role: random.pick(["agent", "ROLE_AGENT", 7, null, "USER"]) } })],
  ["-32602", (random) => ({ message: { parts: [{ kind: "video", video: strangeText(random) }] } })],
  ["-32602", (random) => ({ message: { parts: [random.pick([null, 7, "x", [], {}])] } })],
  ["-32602", (random) => ({ params: { configuration: { historyLength: random.pick([-1, 1.5, "2", {}]) } } })],
  ["-32602", () => ({ params: { metadata: { skill: "no-such-skill" } } })],
  ["-32602", (random) => ({ message: { contextId: random.pick(["a\u0000b", "x".repeat(2_000), 7]) } })],
  ["-32602", (random) => ({ params: { metadata: random.pick(["x", 7, [], true]) } })],
  ["-32602", (random) => ({ params: { metadata: { idempotencyKey: random.pick(["", "k\n", 7, {}]) } } })],
  ["-32602", (_, version) => ({ message: { [version === "1.0" ? "messageId" : "role"]: undefined } })],
  ["-32005", (_, version) => ({ message: { parts: [zip(version)] } })],
];

function zip(version: Version): unknown {
  const bytes = Buffer.from("PK\u0003\u0004").toString("base64");
  if (version === "1.0") return { raw: bytes, mediaType: "application/zip" };
  return { kind: "file", file: { bytes, mimeType: "application/zip" } };
}

const refusedMessage: Scenario = async ({ random, send }) => {
  const route = drawRoute(random);
  const operation = random.pick(["send", "stream"] as const);
  const plain = plainParams(route.version, script(random));
  const [code, bend] = random.pick(MESSAGES);
  const bent = bend(random, route.version);
  const params = { ...plain, message: { ...(plain.message as Fields), ...bent.message }, ...bent.params };
  await send(route.instance, request(random, route, { operation, params, expects: [code] }));
};

/** A version that is not served (A1). */
const unservedVersion: Scenario = async ({ random, send }) => {
  const route = drawRoute(random);
  const made = request(
    random,
    { ...route, version: "0.3" },
    { operation: "get", params: { id: "x" }, expects: ["-32009"] },
  );
  const asked = random.pick(["2.0", "0.2", "1", "1.0.0.0", "x", "1.0, 1.0", "03", "\u00e9", "9".repeat(300)]);
  const headers = made.headers.filter(([name]) => name !== "A2A-Version");
  await send(route.instance, {
    ...made,
    label: "a version that is not served",
    // Errors of such a request come in the newest version's shape, over HTTP+JSON in that of the mount.
    surface: made.surface.kind === "rpc" ? { ...made.surface, version: "1.0" } : made.surface,
    target: made.target.replace(/\?.*/, ""),
    headers: [...headers, ["A2A-Version", asked]],
    expects: ["-32009"],
  });
};

/** Keys twice, prototypes, and other unusual JSON. */
const oddJson: Scenario = async ({ random, send }) => {
  const route = { ...drawRoute(random), binding: "rpc" as const };
  const made = rpcRequest(random, route, { operation: "send", params: plainParams(route.version, script(random)) });
  const text = (made.body as Buffer).toString();
  const value = JSON.stringify(strangeValue(random)) ?? "0";
  const twice = random.pick([
    text.replace('"params":{', `"params":{"message":${value},`),
    text.replace("{", `{"jsonrpc":"1.0","method":${value},"__proto__":{"method":"x"},`),
    text.replace(/\}$/, `,"id":${value}}`),
    text.replace('"message":{', `"message":{"__proto__":${value},"constructor":{"prototype":{"x":1}},`),
    text.replace('"message":{', '"message":{"\\u005f\\u005fproto\\u005f\\u005f":{"parts":[]},'),
    text.replace(/"text":"[^"]*"/, `"text":"${"\\ud800".repeat(random.int(1, 500))}"`),
    text.replace(/"id":[^,]*,/, `"id":${"9".repeat(random.int(1, 400))},`),
    text.replace(/"id":[^,]*,/, '"id":1e400,'),
  ]);
  await send(route.instance, withText(made, twice));
};

/** Bytes in a body that are no UTF-8. */
const notUtf8: Scenario = async ({ random, contexts, send }) => {
  const route = drawRoute(random);
  const made = request(random, route, drawAsk(random, route.version, contexts));
  if (made.body === undefined) return void (await send(route.instance, made));
  const body = Buffer.from(made.body);
  for (let i = random.int(1, 4); i > 0; i--) body[random.int(0, body.length - 1)] = random.int(0x80, 0xff);
  await send(route.instance, withText(made, body));
};

/** Cases of one request, with their shares. */
export const SINGLE_SCENARIOS: readonly (readonly [share: number, scenario: Scenario])[] = [
  [22, valid],
  [8, plainSend],
  [5, unknownTask],
  [18, spoiledParams],
  [7, spoiledBody],
  [7, envelope],
  [2, otherVersion],
  [7, refusedMessage],
  [2, unservedVersion],
  [3, oddJson],
  [2, notUtf8],
];
