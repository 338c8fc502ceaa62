/** Answers of both subscription wires, as their servers send them. */
import type { GatewayReply, GatewayStep } from "./local-gateway.ts";

/** One event of either wire, whose kind is in `type` and in the event's name. */
export function wireEvent(event: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A call that an answer makes. */
interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

/** What an answer holds. */
export interface WireAnswer {
  readonly thinking?: string;
  readonly text?: readonly string[];
  readonly calls?: readonly WireCall[];
  /** After the texts, before the end. */
  readonly ending?: readonly GatewayStep[];
  readonly stop?: string;
}

/** An answer on the Messages wire; its arguments come in two pieces. */
export function messagesAnswer({ thinking, text = [], calls = [], ending, stop }: WireAnswer): GatewayReply {
  const usage = { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 1 };
  let index = 0;
  const block = (content: object, ...deltas: readonly object[]): string[] => {
    const at = index++;
    return [
      wireEvent({ type: "content_block_start", index: at, content_block: content }),
      ...deltas.map((delta) => wireEvent({ type: "content_block_delta", index: at, delta })),
      wireEvent({ type: "content_block_stop", index: at }),
    ];
  };
  const steps: GatewayStep[] = [
    wireEvent({ type: "message_start", message: { id: "msg_1", role: "assistant", content: [], usage } }),
    wireEvent({ type: "ping" }),
  ];
  if (thinking !== undefined)
    steps.push(
      ...block(
        { type: "thinking", thinking: "" },
        { type: "thinking_delta", thinking },
        { type: "signature_delta", signature: "s" },
      ),
    );
  if (text.length > 0)
    steps.push(...block({ type: "text", text: "" }, ...text.map((piece) => ({ type: "text_delta", text: piece }))));
  if (ending !== undefined) return { steps: [...steps, ...ending] };
  for (const { id, name, args } of calls) {
    const pieces = args === "" ? [] : [args.slice(0, 3), args.slice(3)];
    const deltas = pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece }));
    steps.push(...block({ type: "tool_use", id, name, input: {} }, ...deltas));
  }
  const reason = stop ?? (calls.length > 0 ? "tool_use" : "end_turn");
  steps.push(
    wireEvent({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 7 } }),
    wireEvent({ type: "message_stop" }),
  );
  return { steps };
}

/** An answer on the Responses wire. `stop` is the reason why it is incomplete. */
export function responsesAnswer({ thinking, text = [], calls = [], ending, stop }: WireAnswer): GatewayReply {
  const steps: GatewayStep[] = [
    wireEvent({ type: "response.created", response: { id: "resp_1", status: "in_progress" } }),
  ];
  if (thinking !== undefined)
    steps.push(wireEvent({ type: "response.reasoning_summary_text.delta", item_id: "rs_1", delta: thinking }));
  for (const delta of text) steps.push(wireEvent({ type: "response.output_text.delta", item_id: "msg_1", delta }));
  if (ending !== undefined) return { steps: [...steps, ...ending] };
  const message = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    content: [{ type: "output_text", text: text.join("") }],
  };
  const output = [
    ...(text.length === 0 ? [] : [message]),
    ...calls.map(({ id, name, args }) => ({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: args,
    })),
  ];
  for (const item of output) steps.push(wireEvent({ type: "response.output_item.done", item }));
  const usage = { input_tokens: 45, input_tokens_details: { cached_tokens: 30 }, output_tokens: 7 };
  const response = {
    id: "resp_1",
    output,
    usage,
    ...(stop === undefined ? {} : { incomplete_details: { reason: stop } }),
  };
  steps.push(wireEvent({ type: stop === undefined ? "response.completed" : "response.incomplete", response }));
  return { steps };
}
