import type { FinishReason, ModelEvent } from "../model-port.ts";
import {
  AnswerBuilder,
  asObject,
  asText,
  type ErrorOrigin,
  type EventInterpreter,
  inStreamError,
  type WireObject,
} from "../provider-call/index.ts";

/** Translates events of the Responses wire. Unknown kinds are ignored. */
export class ResponsesInterpreter implements EventInterpreter {
  readonly #answer: AnswerBuilder;
  readonly #origin: ErrorOrigin;
  /** Messages and calls that were emitted, by item id or call id. */
  readonly #emitted = new Set<string>();

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
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#emitted.add(asText(event.item_id));
        this.#answer.append("text", asText(event.delta));
        return;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#answer.append("reasoning", asText(event.delta));
        return;
      case "response.output_item.done":
        this.#item(asObject(event.item) ?? {});
        return;
      case "response.completed":
      case "response.incomplete":
        this.#finish(asObject(event.response) ?? {});
        return;
      case "response.failed":
        throw inStreamError(this.#origin, asObject(event.response)?.error ?? "the response failed");
      case "error":
        throw inStreamError(this.#origin, event.error ?? event);
      default:
    }
  }

  /** A whole item. Text that came in deltas is not emitted again. */
  #item(item: WireObject): void {
    if (item.type === "function_call") {
      const id = asText(item.call_id) || asText(item.id);
      if (this.#emitted.has(id)) return;
      this.#emitted.add(id);
      this.#answer.call({ id, name: asText(item.name), args: asText(item.arguments) || "{}" });
    } else if (item.type === "message" && !this.#emitted.has(asText(item.id))) {
      this.#emitted.add(asText(item.id));
      this.#answer.append("text", textOf(item.content));
    }
  }

  #finish(response: WireObject): void {
    if (Array.isArray(response.output)) for (const item of response.output) this.#item(asObject(item) ?? {});
    this.#answer.usage(asObject(response.usage) ?? {});
    this.#answer.finish(reasonOf(response));
  }
}

/** Either content shape: a list of typed parts, or plain text. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return asText(content);
  return content.map((part: unknown) => asText(asObject(part)?.text) || asText(asObject(part)?.refusal)).join("");
}

function reasonOf({ incomplete_details: details }: WireObject): FinishReason {
  const reason = asText(asObject(details)?.reason);
  if (reason === "") return "stop";
  if (reason === "max_output_tokens") return "length";
  return reason === "content_filter" ? "content-filter" : "other";
}
