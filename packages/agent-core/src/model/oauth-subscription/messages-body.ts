import type { CacheTtl, ModelContent, ModelMessage, ModelRequest } from "../model-port.ts";
import { joinedPieces, type MessageWriter, writtenBefore } from "../provider-call/index.ts";
import { argumentsObject } from "./subscription.ts";

interface Block {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The wire refuses a message without content, and text that is blank. */
const NO_TEXT = "(no text)";
/** The wire requires a user message first. */
const BEGINNING = '{"role":"user","content":[{"type":"text","text":"(The conversation so far is left out.)"}]}';
/** Turns that carry a mark: the newest for the next call to read, the one before for this call. */
const MARKED_TURNS = 2;

/**
 * The body of a request on the Messages wire; always streaming (R6). What the wire does not know is left out. The messages
 * stand last, and those that former calls wrote are not written again.
 */
export function messagesBody(request: ModelRequest): Buffer {
  const { messages, settings, cache, written } = request;
  const mark = cache === undefined ? undefined : cacheMark(cache.ttl);
  const fields = JSON.stringify(fieldsOf(request, mark)).slice(0, -1);
  if (settings.extraBody?.messages !== undefined) return joinedPieces([fields, "}"]);
  const begin = messages[0] === undefined || roleOf(messages[0]) !== "user" ? BEGINNING : "";
  const marked = mark === undefined ? [] : markedTurns(messages);
  // Where marks stand changes from call to call; what comes before them stays.
  const count = written === undefined ? 0 : (marked.at(-1) ?? lastTurn(messages));
  const before = written === undefined ? NOTHING : writtenBefore(written, WRITER, messages, count);
  const firstMarked = marked.at(-1) ?? Number.POSITIVE_INFINITY;
  const rest: string[] = [];
  for (let at = count; at < messages.length; at++) {
    const carries = at >= firstMarked && endsTurn(messages, at) && roleOf(messages[at]!) === "user";
    rest.push(pieceOf(messages[at]!, messages[at - 1], carries ? mark : undefined));
  }
  const comma = begin !== "" && messages.length > 0 ? "," : "";
  const end = messages.length > 0 ? "]}]}" : "]}";
  return joinedPieces([fields, ',"messages":[', begin, comma, before, rest.join(""), end]);
}

const NOTHING = Buffer.alloc(0);
const WRITER: MessageWriter = Object.freeze({
  owner: Object.freeze({ wire: "messages" }),
  write: (message: ModelMessage, previous: ModelMessage | undefined) => pieceOf(message, previous, undefined),
});

function fieldsOf(request: ModelRequest, mark: CacheMark | undefined): object {
  const { model, system, tools, settings } = request;
  const { maxTokens = 4_096, temperature, topP, topK, extraBody } = settings;
  return {
    model,
    max_tokens: maxTokens,
    ...(system === undefined || system.trim() === ""
      ? {}
      : { system: mark === undefined ? system : markedSystem(request, mark) }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })) }),
    // This wire's temperature ends at 1.
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined || topK < 0 ? {} : { top_k: topK }),
    ...effortOf(settings),
    ...extraBody,
    stream: true,
  };
}

/** The wire's efforts begin at `low`; for less nothing is sent. Effort needs no thinking blocks, which are not kept here. */
function effortOf({ reasoningEffort: effort }: ModelRequest["settings"]): object {
  return effort === undefined || effort === "none" || effort === "minimal" ? {} : { output_config: { effort } };
}

interface CacheMark {
  readonly type: "ephemeral";
  readonly ttl?: CacheTtl;
}

/** Five minutes is the provider's default. */
function cacheMark(ttl: CacheTtl): CacheMark {
  return ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl };
}

/** The mark is placed after the part that every turn has: with the tools it is the prefix they share. */
function markedSystem({ system = "", stableSystemChars }: ModelRequest, mark: CacheMark): unknown {
  const stable = system.slice(0, stableSystemChars);
  const rest = system.slice(stable.length);
  if (stable.trim() === "") return system;
  const first = { type: "text", text: stable, cache_control: mark };
  return rest.trim() === "" ? [first] : [first, { type: "text", text: rest }];
}

function roleOf({ role }: ModelMessage): "user" | "assistant" {
  return role === "assistant" ? "assistant" : "user";
}

function startsTurn(messages: readonly ModelMessage[], at: number): boolean {
  return at === 0 || roleOf(messages[at - 1]!) !== roleOf(messages[at]!);
}

function endsTurn(messages: readonly ModelMessage[], at: number): boolean {
  return at === messages.length - 1 || startsTurn(messages, at + 1);
}

/** Where the last turn starts. */
function lastTurn(messages: readonly ModelMessage[]): number {
  let at = Math.max(0, messages.length - 1);
  while (at > 0 && !startsTurn(messages, at)) at--;
  return at;
}

/** Where the newest two turns of a user start, results included, the newest first: this wire takes marks on them (R13). */
function markedTurns(messages: readonly ModelMessage[]): readonly number[] {
  const starts: number[] = [];
  for (let at = messages.length - 1; at >= 0 && starts.length < MARKED_TURNS; at--)
    if (startsTurn(messages, at) && roleOf(messages[at]!) === "user") starts.push(at);
  return starts;
}

/**
 * A message as its piece of the list. Turns alternate: results of parallel calls, and messages after them, are one turn. It is
 * closed by the one after it, so that a piece depends on what stands before it alone.
 */
function pieceOf(message: ModelMessage, previous: ModelMessage | undefined, mark: CacheMark | undefined): string {
  const role = roleOf(message);
  const goesOn = previous !== undefined && roleOf(previous) === role;
  const own = blocksOf(message);
  const blocks = own.length === 0 && !goesOn ? [{ type: "text", text: NO_TEXT }] : own;
  const last = blocks.at(-1);
  const marked = mark === undefined || last === undefined ? blocks : blocks.with(-1, { ...last, cache_control: mark });
  const text = marked.map((block) => JSON.stringify(block)).join();
  if (goesOn) return text === "" ? "" : `,${text}`;
  const head = `{"role":"${role}","content":[${text}`;
  return previous === undefined ? head : `]},${head}`;
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
