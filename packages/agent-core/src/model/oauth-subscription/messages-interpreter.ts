import type { FinishReason, ModelEvent } from "../model-port.ts";
import {
  AnswerBuilder,
  asObject,
  asText,
  checkArguments,
  type ErrorOrigin,
  type EventInterpreter,
  inStreamError,
  type WireObject,
} from "../provider-call/index.ts";

const REASONS: { readonly [wire: string]: FinishReason } = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool-calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content-filter",
};

interface OpenCall {
  readonly id: string;
  readonly name: string;
  args: string;
}

/** Makes model events of the Messages wire's. Unknown kinds are skipped, as the wire asks. */
export class MessagesInterpreter implements EventInterpreter {
  readonly #answer: AnswerBuilder;
  readonly #origin: ErrorOrigin;
  /** Open tool calls, by the index of their block. */
  readonly #calls = new Map<unknown, OpenCall>();
  #reason: FinishReason = "other";

  constructor(emit: (event: ModelEvent) => void, origin: ErrorOrigin) {
    this.#answer = new AnswerBuilder(emit);
    this.#origin = origin;
  }

  get done(): boolean {
    return this.#answer.done;
  }

  flush(): void {
    this.#answer.flush();
  }

  take(event: WireObject): void {
    switch (event.type) {
      case "message_start":
        this.#answer.usage(asObject(asObject(event.message)?.usage) ?? {});
        return;
      case "content_block_start":
        this.#begin(event.index, asObject(event.content_block) ?? {});
        return;
      case "content_block_delta":
        this.#delta(event.index, asObject(event.delta) ?? {});
        return;
      case "content_block_stop":
        this.#close(event.index);
        return;
      case "message_delta": {
        const reason = asText(asObject(event.delta)?.stop_reason);
        if (reason !== "") this.#reason = REASONS[reason] ?? "other";
        this.#answer.usage(asObject(event.usage) ?? {});
        return;
      }
      case "message_stop":
        for (const index of [...this.#calls.keys()]) this.#close(index);
        this.#answer.finish(this.#reason);
        return;
      case "error":
        throw inStreamError(this.#origin, event.error);
      default:
    }
  }

  #begin(index: unknown, block: WireObject): void {
    if (block.type === "tool_use") {
      // Arguments come in pieces, unless the block brings them whole.
      const whole = asObject(block.input);
      const args = whole === undefined || Object.keys(whole).length === 0 ? "" : JSON.stringify(whole);
      this.#calls.set(index, { id: asText(block.id), name: asText(block.name), args });
    } else if (block.type === "text") this.#answer.append("text", asText(block.text));
    else if (block.type === "thinking") this.#answer.append("reasoning", asText(block.thinking));
  }

  #delta(index: unknown, delta: WireObject): void {
    if (delta.type === "text_delta") this.#answer.append("text", asText(delta.text));
    else if (delta.type === "thinking_delta") this.#answer.append("reasoning", asText(delta.thinking));
    else if (delta.type === "input_json_delta") {
      const call = this.#calls.get(index);
      if (call === undefined) return;
      call.args += asText(delta.partial_json);
      checkArguments(call.args);
    }
  }

  #close(index: unknown): void {
    const call = this.#calls.get(index);
    if (call === undefined) return;
    this.#calls.delete(index);
    this.#answer.call({ id: call.id, name: call.name, args: call.args === "" ? "{}" : call.args });
  }
}
