import type { GatewayReply } from "./local-gateway.ts";

/** One chunk of a streamed completion as an event of its stream. */
export function chunkEvent(delta: object, finishReason: string | null = null, extra: object = {}): string {
  return dataEvent({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    ...extra,
  });
}

/** Any value as an event of a stream. */
export function dataEvent(value: unknown): string {
  return `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
}

/** The events that end a completion: the finish reason, the usage, `[DONE]`. */
export function endEvents(finishReason: string, usage: object = { prompt_tokens: 10, completion_tokens: 5 }): string {
  return chunkEvent({}, finishReason) + dataEvent({ choices: [], usage }) + dataEvent("[DONE]");
}

/** A streamed answer made of these pieces of text. */
export function textReply(...pieces: readonly string[]): GatewayReply {
  return { steps: [...pieces.map((content) => chunkEvent({ content })), endEvents("stop")] };
}

/** A streamed answer that makes these calls at once. */
export function toolReply(...calls: readonly { readonly name: string; readonly args: unknown }[]): GatewayReply {
  const tool_calls = calls.map(({ name, args }, index) => ({
    index,
    id: `call_${name}_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { steps: [chunkEvent({ role: "assistant", content: null, tool_calls }), endEvents("tool_calls")] };
}

/** An answer with an error status, in OpenAI's form. */
export function errorReply(
  status: number,
  message: string,
  headers: { readonly [name: string]: string } = {},
): GatewayReply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    steps: [JSON.stringify({ error: { message, type: "error" } })],
  };
}
