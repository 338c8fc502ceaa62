/** Bodies as large as they may be, and larger (A4: 10 MiB), each as hard to read as its bytes allow. */
import type { Random } from "../random.ts";
import { drawRoute, request, rpcRequest } from "./grammar.ts";
import { plainParams } from "./messages.ts";
import type { Scenario } from "./scenario.ts";

const LIMIT = 10 * 1024 * 1024;

type HugeRow = readonly [name: string, build: (random: Random, bytes: number) => string];

/** JSON values of about so many bytes. */
const VALUES: readonly HugeRow[] = [
  ["a text", (_, bytes) => `"${"x".repeat(bytes)}"`],
  ["words", (_, bytes) => `"${"word ".repeat(bytes / 5)}"`],
  ["han characters", (_, bytes) => `"${"\u6f22".repeat(bytes / 3)}"`],
  ["escapes", (_, bytes) => `"${"\\u0000".repeat(bytes / 6)}"`],
  ["quotes", (_, bytes) => `"${'\\"'.repeat(bytes / 2)}"`],
  ["backslashes", (_, bytes) => `"${"\\\\".repeat(bytes / 2)}"`],
  ["surrogates", (_, bytes) => `"${"\\ud800".repeat(bytes / 6)}"`],
  ["lines", (_, bytes) => `"${"/say x\\n".repeat(bytes / 8)}"`],
  ["empty lists", (_, bytes) => `[${"[],".repeat(bytes / 3)}0]`],
  ["empty objects", (_, bytes) => `[${"{},".repeat(bytes / 3)}0]`],
  ["numbers", (_, bytes) => `[${"1,".repeat(bytes / 2)}0]`],
  ["a number", (_, bytes) => "1".repeat(bytes)],
  ["empty texts", (_, bytes) => `[${'"",'.repeat(bytes / 3)}0]`],
  ["keys", (_, bytes) => `{${Array.from({ length: bytes / 16 }, (_unused, i) => `"key${i}":1`).join(",")}}`],
  ["one key", (_, bytes) => `{${'"a":1,'.repeat(bytes / 6)}"a":2}`],
  ["hidden prototypes", (_, bytes) => `[${'"\\u005f",'.repeat(bytes / 9)}0]`],
  ["white space", (_, bytes) => `${" ".repeat(bytes)}1`],
];

/** The position of a value in a message. */
const HOLES: readonly (readonly [name: string, json: (value: string) => string])[] = [
  ["text", (value) => `{"message":{"role":"user","parts":[{"text":${value}}]}}`],
  ["data", (value) => `{"message":{"role":"user","parts":[{"text":"/say x"},{"kind":"data","data":{"v":${value}}}]}}`],
  ["metadata", (value) => `{"message":{"role":"user","parts":[{"text":"/say x"}]},"metadata":{"v":${value}}}`],
  ["parts", (value) => `{"message":{"role":"user","parts":${value}}}`],
  ["id", (value) => `{"id":${value}}`],
  ["unknown", (value) => `{"id":"x","unknown":${value}}`],
];

const hugeBody: Scenario = async ({ random, send }) => {
  const route = { ...drawRoute(random), binding: "rpc" as const, version: "0.3" as const };
  const [what, build] = random.pick(VALUES);
  const [where, hole] = random.pick(HOLES);
  const bytes = random.pick([0.5, 1, 4, 9.9, 9.9]) * 1024 * 1024;
  const operation = where === "id" || where === "unknown" ? "get" : "send";
  const made = rpcRequest(random, route, { operation, params: {} });
  const { method } = JSON.parse((made.body as Buffer).toString()) as { method: string };
  const text = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${hole(build(random, bytes))}}`;
  const surface = { kind: "rpc", version: "0.3", idJson: undefined } as const;
  await send(route.instance, { ...made, label: `huge: ${what} as ${where}`, surface, body: Buffer.from(text) });
};

/** Too large: 413, declared or not. */
const tooLarge: Scenario = async ({ random, send }) => {
  const route = drawRoute(random);
  const made = request(random, route, { operation: "send", params: plainParams(route.version, "/say x") });
  const body = Buffer.alloc(LIMIT + random.int(1, 1_000_000), " ");
  (made.body as Buffer).copy(body);
  await send(route.instance, { ...made, label: "huge: too large", body, expects: ["http 413"] });
};

/** Cases of many bytes, with their shares: few, because one costs as much as a thousand others. */
export const HUGE_SCENARIOS: readonly (readonly [share: number, scenario: Scenario])[] = [
  [0.1, hugeBody],
  [0.02, tooLarge],
];
