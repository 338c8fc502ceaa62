import type { ModelContent, ModelMessage, ModelRequest, ModelSettings, ModelTool } from "../model-port.ts";

/**
 * Writes request bodies of the chat-completions wire. One writer belongs to one gateway: it remembers the text of tool
 * lists it has written, which stay the same object from call to call.
 */
export class RequestBodyWriter {
  readonly #tools = new WeakMap<readonly ModelTool[], string>();

  /** The body as JSON text; always streaming (ruling R6). */
  write(request: ModelRequest): string {
    const { extraBody } = request.settings;
    const fields = requestFields(request);
    if (extraBody !== undefined) merge(fields, extraBody);
    fields.stream = true;
    const head = JSON.stringify(fields);
    const messages = extraBody?.messages === undefined ? `,"messages":${writeMessages(request)}` : "";
    const tools =
      request.tools.length === 0 || extraBody?.tools !== undefined ? "" : `,"tools":${this.#writeTools(request.tools)}`;
    return `${head.slice(0, -1)}${messages}${tools}}`;
  }

  #writeTools(tools: readonly ModelTool[]): string {
    let text = this.#tools.get(tools);
    if (text === undefined) {
      text = JSON.stringify(
        tools.map(({ name, description, parameters }) => ({
          type: "function",
          function: { name, description, parameters },
        })),
      );
      this.#tools.set(tools, text);
    }
    return text;
  }
}

/** Everything but messages and tools. Document 3 `model`: absent values are not sent, nor a negative `top_k`. */
function requestFields({ model, settings }: ModelRequest): Record<string, unknown> {
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    temperature: settings.temperature,
    max_tokens: settings.maxTokens,
    top_p: settings.topP,
    top_k: topK(settings),
    presence_penalty: settings.presencePenalty,
    repetition_penalty: settings.repetitionPenalty,
    chat_template_kwargs: settings.chatTemplateKwargs,
  };
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

function writeMessages(request: ModelRequest): string {
  const messages: unknown[] = [];
  if (request.system !== undefined && request.system !== "") messages.push({ role: "system", content: request.system });
  for (const message of request.messages) messages.push(wireMessage(message));
  return JSON.stringify(messages);
}

function wireMessage(message: ModelMessage): unknown {
  if (message.role === "user") return { role: "user", content: wireContent(message.content) };
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
  return content.map((part) =>
    part.kind === "text"
      ? { type: "text", text: part.text }
      : { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.data}` } },
  );
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
