/** The chat-completions surface (V1): good requests, spoiled ones, and conversations that go on. */
import type { Random } from "../random.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { bodyOf, doorHeaders, drawRoute, type Route } from "./grammar.ts";
import { script } from "./messages.ts";
import type { Scenario } from "./scenario.ts";
import { spoiled, spoiledText, strangeText, strangeValue } from "./values.ts";

type Fields = { [name: string]: unknown };

function chatRequest(random: Random, route: Route, body: Buffer, expects?: readonly string[]): FuzzRequest {
  return {
    label: "chat completions",
    surface: { kind: "chat" },
    method: "POST",
    target: "/v1/chat/completions",
    headers: [...doorHeaders(random, route, true), ["Content-Type", "application/json"]],
    body,
    framing: random.chance(0.9) ? "length" : "chunked",
    expects,
    leaveAfter: random.chance(0.1) ? random.int(0, 2) : undefined,
  };
}

function message(random: Random): unknown {
  const role = random.pick(["system", "user", "assistant", "tool", "developer", "function"]);
  const text = random.chance(0.7) ? script(random) : strangeText(random);
  const parts = [{ type: "text", text }, ...(random.chance(0.2) ? [strangeValue(random)] : [])];
  const call = { id: "call_1", type: "function", function: { name: "x", arguments: "{}" } };
  return {
    role,
    content: random.chance(0.7) ? text : random.pick([parts, null, strangeValue(random)]),
    ...(role === "assistant" && random.chance(0.3) && { tool_calls: [call] }),
    ...(role === "tool" && { tool_call_id: "call_1" }),
  };
}

function drawBody(random: Random, contexts: readonly string[]): Fields {
  const before = Array.from({ length: random.int(0, 4) }, () => message(random));
  const body: Fields = { messages: [...before, { role: "user", content: script(random) }] };
  if (random.chance(0.4)) body.stream = random.chance(0.7);
  if (random.chance(0.3)) body.stream_options = { include_usage: random.chance(0.5) };
  if (random.chance(0.3)) body.session_id = random.pick(contexts);
  if (random.chance(0.2)) body.model = random.pick(["protoagent", "scripted:demo", "gpt-4o", strangeText(random)]);
  if (random.chance(0.1)) body[random.pick(["n", "tools", "stop", "response_format"])] = strangeValue(random);
  if (random.chance(0.2)) Object.assign(body, { temperature: 0.5, max_tokens: 10, user: "u" });
  return body;
}

const chat: Scenario = async ({ random, contexts, send }) => {
  const route = drawRoute(random);
  await send(route.instance, chatRequest(random, route, bodyOf(drawBody(random, contexts))));
};

const spoiledChat: Scenario = async ({ random, contexts, send }) => {
  const route = drawRoute(random);
  const body = drawBody(random, contexts);
  const bytes = random.chance(0.6)
    ? bodyOf(spoiled(random, body) ?? null)
    : Buffer.from(spoiledText(random, JSON.stringify(body)));
  await send(route.instance, chatRequest(random, route, bytes));
};

/** A conversation under one session. */
const session: Scenario = async ({ random, send }) => {
  const route = drawRoute(random);
  const id = `s-${random.int(0, 1e12)}`;
  for (let turn = random.int(2, 3); turn > 0; turn--) {
    const body = {
      messages: [{ role: "user", content: `/say turn ${turn}` }],
      session_id: id,
      stream: random.chance(0.5),
    };
    await send(route.instance, { ...chatRequest(random, route, bodyOf(body), ["ok"]), leaveAfter: undefined });
  }
};

const models: Scenario = async ({ random, send }) => {
  const route = drawRoute(random);
  const target = random.pick([
    "/v1/models",
    "/v1/models/protoagent",
    "/v1/models/x%2Fy",
    `/v1/models/${random.int(0, 9)}`,
  ]);
  const headers = doorHeaders(random, route, true);
  await send(route.instance, { label: "models", surface: { kind: "plain" }, method: "GET", target, headers });
};

/** Cases of this surface, with their shares. */
export const CHAT_SCENARIOS: readonly (readonly [share: number, scenario: Scenario])[] = [
  [5, chat],
  [3, spoiledChat],
  [0.5, session],
  [1, models],
];
