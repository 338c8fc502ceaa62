import type { CacheTtl, ModelContent, ModelMessage, ModelRequest, ModelSettings, ModelTool } from "../model-port.ts";
import { joinedPieces, type MessageWriter, writtenBefore } from "../provider-call/index.ts";
import { ALL_TAKEN, type TakenParameters } from "./taken-parameters.ts";

/** Newest messages that carry a cache mark: the newest one for the next call to read, the one before for this call. */
const MARKED_MESSAGES = 2;

/**
 * Writes request bodies of the chat-completions wire. One writer belongs to one gateway: it remembers the text of tool
 * lists it has written, which stay the same object from call to call.
 */
export class RequestBodyWriter {
  readonly #tools = new WeakMap<readonly ModelTool[], Buffer>();
  readonly #writer: MessageWriter = {
    owner: this,
    write: (message) => `${JSON.stringify(wireMessage(message, undefined))},`,
  };
  /** The fields of the last call: those of nearly every call are the same. */
  #fields:
    | {
        readonly model: string;
        readonly settings: ModelSettings;
        readonly taken: TakenParameters;
        readonly text: string;
      }
    | undefined;

  /** The system message of the last call. */
  #system: SystemMessage | undefined;

  /**
   * The body as the bytes of its JSON text; always streaming (R6). The messages stand last, so that the body of a
   * call begins with the body of the call before it.
   */
  write(request: ModelRequest, taken: TakenParameters = ALL_TAKEN): Buffer {
    const { extraBody } = request.settings;
    const head = this.#head(request, taken);
    const tools = request.tools.length === 0 || extraBody?.tools !== undefined ? NOTHING : this.#list(request.tools);
    if (extraBody?.messages !== undefined) return joinedPieces([head, tools, "}"]);
    return joinedPieces([head, tools, ...this.#messages(request)]);
  }

  #messages(request: ModelRequest): readonly (string | Buffer)[] {
    const { messages, written } = request;
    const mark = request.cache === undefined ? undefined : cacheMark(request.cache.ttl);
    const begin = this.#begin(request, mark);
    const marked = mark === undefined ? [] : markedIndexes(messages);
    // Where marks stand changes from call to call; what comes before them stays.
    const plain = Math.max(0, Math.min(marked.at(-1) ?? messages.length, messages.length - 1));
    const count = written === undefined ? 0 : plain;
    const rest = messages.slice(count).map((message, i) => {
      return JSON.stringify(wireMessage(message, marked.includes(count + i) ? mark : undefined));
    });
    if (written === undefined || count === 0)
      return [begin.bytes, rest.length === 0 ? "" : begin.between, rest.join(), "]}"];
    return [begin.bytes, begin.between, writtenBefore(written, this.#writer, messages, count), rest.join(), "]}"];
  }

  /** How the list of messages begins. The last call's system message is kept as bytes, as nearly every call has the same. */
  #begin(request: ModelRequest, mark: CacheMark | undefined): Beginning {
    const { system, stableSystemChars } = request;
    if (system === undefined || system === "") return NO_SYSTEM;
    // Without a mark it is one text, wherever its stable part ends.
    const stableChars = mark === undefined ? undefined : stableSystemChars;
    const known = this.#system;
    if (known?.system === system && known.mark === request.cache?.ttl && known.stableChars === stableChars)
      return known;
    const content = mark === undefined ? system : markedSystem(request, mark);
    const bytes = Buffer.from(`${MESSAGES}${JSON.stringify({ role: "system", content })}`);
    this.#system = { system, stableChars, mark: request.cache?.ttl, bytes, between: "," };
    return this.#system;
  }

  /** The body's text before the messages. */
  #head(request: ModelRequest, taken: TakenParameters): string {
    const { model, settings } = request;
    const known = this.#fields;
    if (known?.settings !== settings || known.model !== model || known.taken !== taken) {
      const fields = takenFields(requestFields(request), taken);
      if (settings.extraBody !== undefined) merge(fields, settings.extraBody);
      fields.stream = true;
      const text = JSON.stringify(fields).slice(0, -1);
      this.#fields = { model, settings, taken, text };
      return text;
    }
    return known.text;
  }

  /** The list of tools, most of a short turn's body: kept as bytes, which are copied and not encoded again. */
  #list(tools: readonly ModelTool[]): Buffer {
    let list = this.#tools.get(tools);
    if (list === undefined) {
      const listed = tools.map(({ name, description, parameters }) => ({
        type: "function",
        function: { name, description, parameters },
      }));
      list = Buffer.from(`,"tools":${JSON.stringify(listed)}`);
      this.#tools.set(tools, list);
    }
    return list;
  }
}

const NOTHING = Buffer.alloc(0);
const MESSAGES = ',"messages":[';

/** How the list of messages begins, and what stands between that and the messages of the conversation. */
interface Beginning {
  readonly bytes: Buffer | string;
  readonly between: string;
}

/** A beginning with a system message, and what determined it. */
interface SystemMessage extends Beginning {
  readonly system: string;
  readonly stableChars: number | undefined;
  readonly mark: CacheTtl | undefined;
}

const NO_SYSTEM: Beginning = { bytes: MESSAGES, between: "" };

/** Everything but messages and tools. B52 `model`: absent values are not sent, nor a negative `top_k`. */
function requestFields({ model, settings }: ModelRequest): Record<string, unknown> {
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    temperature: settings.temperature,
    max_tokens: settings.maxTokens,
    top_p: settings.topP,
    top_k: topK(settings),
    reasoning_effort: settings.reasoningEffort,
    seed: settings.seed,
    presence_penalty: settings.presencePenalty,
    repetition_penalty: settings.repetitionPenalty,
    chat_template_kwargs: settings.chatTemplateKwargs,
  };
}

/** Without what the model refused; what the operator merges by hand is sent whatever was refused. */
function takenFields(
  fields: Record<string, unknown>,
  { refused, capsCompletion }: TakenParameters,
): Record<string, unknown> {
  if (capsCompletion) {
    fields.max_completion_tokens = fields.max_tokens;
    delete fields.max_tokens;
  }
  for (const parameter of refused) delete fields[parameter];
  return fields;
}

function topK({ topK: value }: ModelSettings): number | undefined {
  return value === undefined || value < 0 ? undefined : value;
}

/** Null takes a parameter away: some servers refuse one that others need, for instance `stream_options`. */
function merge(fields: Record<string, unknown>, extra: { readonly [key: string]: unknown }): void {
  for (const [key, value] of Object.entries(extra)) {
    if (value === null) delete fields[key];
    else if (value !== undefined) fields[key] = value;
  }
}

type CacheMark = { readonly type: "ephemeral"; readonly ttl?: CacheTtl };

/** Five minutes is the providers' default, and some reject the field. */
function cacheMark(ttl: CacheTtl): CacheMark {
  return ttl === "5m" ? { type: "ephemeral" } : { type: "ephemeral", ttl };
}

/** The part that every turn has carries the mark: with the tools it is the prefix that all of them share. */
function markedSystem({ system = "", stableSystemChars }: ModelRequest, mark: CacheMark): unknown {
  const stable = system.slice(0, stableSystemChars);
  const rest = system.slice(stable.length);
  const marked = { type: "text", text: stable, cache_control: mark };
  if (stable === "") return system;
  return rest === "" ? [marked] : [marked, { type: "text", text: rest }];
}

/**
 * The newest messages of a user: text can carry a mark on this wire. Results cannot, for many servers know only plain
 * text there; so within a turn's tool loop the bytes stay as they are and only grow at their end.
 */
function markedIndexes(messages: readonly ModelMessage[]): readonly number[] {
  const found: number[] = [];
  for (let i = messages.length - 1; i >= 0 && found.length < MARKED_MESSAGES; i--) {
    const message = messages[i]!;
    if (message.role === "user" && message.content.some((part) => part.kind === "text" && part.text !== ""))
      found.push(i);
  }
  return found;
}

function wireMessage(message: ModelMessage, mark: CacheMark | undefined): unknown {
  if (message.role === "user") {
    return {
      role: "user",
      content: mark === undefined ? wireContent(message.content) : markedContent(message.content, mark),
    };
  }
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.text };
  if (message.toolCalls === undefined || message.toolCalls.length === 0) {
    return { role: "assistant", content: message.text };
  }
  return {
    role: "assistant",
    content: message.text === "" ? null : message.text,
    tool_calls: message.toolCalls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: replayable(call.args) },
    })),
  };
}

function wireContent(content: readonly ModelContent[]): unknown {
  const only = content[0];
  if (content.length === 1 && only?.kind === "text") return only.text;
  return content.map(wirePart);
}

function wirePart(part: ModelContent): object {
  return part.kind === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
}

function markedContent(content: readonly ModelContent[], mark: CacheMark): unknown {
  const last = content.findLastIndex((part) => part.kind === "text" && part.text !== "");
  return content.map((part, i) => (i === last ? { ...wirePart(part), cache_control: mark } : wirePart(part)));
}

/**
 * Arguments as they can be sent back. Several servers parse them again and refuse the whole conversation when a model
 * once wrote something that is not JSON; the text is kept, wrapped.
 */
function replayable(args: string): string {
  if (args.trim() === "") return "{}";
  try {
    const parsed: unknown = JSON.parse(args);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return args;
  } catch {
    // Falls through to the wrapping.
  }
  return JSON.stringify({ unparsable_arguments: args });
}
