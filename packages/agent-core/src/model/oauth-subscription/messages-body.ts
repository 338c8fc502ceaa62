import type { CacheTtl, ModelContent, ModelMessage, ModelRequest } from "../model-port.ts";
import { argumentsObject } from "./subscription.ts";

interface Block {
  readonly type: string;
  readonly [key: string]: unknown;
}

interface Turn {
  readonly role: "user" | "assistant";
  readonly content: Block[];
}

/** The wire refuses a message without content, and text that is blank. */
const NO_TEXT = "(no text)";
/** The wire requires a user message first. */
const BEGINNING: Turn = Object.freeze({
  role: "user",
  content: [Object.freeze({ type: "text", text: "(The conversation so far is left out.)" })],
});

/** The body of a request on the Messages wire; always streaming (R6). What the wire does not know is left out. */
export function messagesBody(request: ModelRequest): object {
  const { model, system, messages, tools, settings, cache } = request;
  const mark = cache === undefined ? undefined : cacheMark(cache.ttl);
  const { maxTokens = 4_096, temperature, topP, topK, extraBody } = settings;
  return {
    model,
    max_tokens: maxTokens,
    ...(system === undefined || system.trim() === ""
      ? {}
      : { system: mark === undefined ? system : markedSystem(request, mark) }),
    messages: mark === undefined ? turnsOf(messages) : marked(turnsOf(messages), mark),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })) }),
    // This wire's temperature ends at 1.
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined || topK < 0 ? {} : { top_k: topK }),
    ...extraBody,
    stream: true,
  };
}

interface CacheMark {
  readonly type: "ephemeral";
  readonly ttl?: CacheTtl;
}

/** Five minutes is the provider's default. */
function cacheMark(ttl: CacheTtl): CacheMark {
  return ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl };
}

/** The mark stands behind the part that every turn has: with the tools it is the prefix they share. */
function markedSystem({ system = "", stableSystemChars }: ModelRequest, mark: CacheMark): unknown {
  const stable = system.slice(0, stableSystemChars);
  const rest = system.slice(stable.length);
  if (stable.trim() === "") return system;
  const first = { type: "text", text: stable, cache_control: mark };
  return rest.trim() === "" ? [first] : [first, { type: "text", text: rest }];
}

/** The newest two turns of a user, results included: this wire takes marks on them (R13). */
function marked(turns: readonly Turn[], mark: CacheMark): readonly Turn[] {
  const newest = turns.flatMap(({ role }, at) => (role === "user" ? [at] : [])).slice(-2);
  return turns.map((turn, at) => {
    const last = turn.content.at(-1);
    if (!newest.includes(at) || last === undefined) return turn;
    return { role: turn.role, content: turn.content.with(-1, { ...last, cache_control: mark }) };
  });
}

/** Turns alternate: results of parallel calls, and messages after them, are one message. */
function turnsOf(messages: readonly ModelMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    const content = blocksOf(message);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  const filled = turns.map(({ role, content }) => ({
    role,
    content: content.length === 0 ? [{ type: "text", text: NO_TEXT }] : content,
  }));
  return filled[0]?.role === "user" ? filled : [BEGINNING, ...filled];
}

function blocksOf(message: ModelMessage): Block[] {
  if (message.role === "tool")
    return [
      {
        type: "tool_result",
        tool_use_id: message.callId,
        content: message.text.trim() === "" ? NO_TEXT : message.text,
      },
    ];
  if (message.role === "user") return message.content.flatMap(contentBlocks);
  const calls = (message.toolCalls ?? []).map(
    ({ id, name, args }): Block => ({ type: "tool_use", id, name, input: argumentsObject(args) }),
  );
  return [...textBlocks(message.text), ...calls];
}

function contentBlocks(part: ModelContent): Block[] {
  if (part.kind === "text") return textBlocks(part.text);
  return [{ type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } }];
}

function textBlocks(text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}
