/** The JSON of completions and of the chunks of streamed ones, as the official clients read it (V1). */
import type { TaskUsage, TaskView } from "@agent-service/agent-core/host";
import type { ErrorObject } from "./api-error.ts";
import type { ChatOutcome, FinishReason } from "./chat-outcome.ts";

function wireUsage(usage: TaskUsage) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
  };
}

/** Writes the completions of one request. `model`: the name that the caller used. */
export class CompletionWriter {
  readonly #identity: { readonly id: string; readonly created: number; readonly model: string };
  /** Text of a chunk up to its choices, and after them. */
  readonly #head: string;
  readonly #tail: string;

  constructor(view: Readonly<TaskView>, model: string, includeUsage = false) {
    const { id, createdAt } = view;
    this.#identity = { id: `chatcmpl-${id}`, created: Math.floor(createdAt / 1000), model };
    const { id: completion, created } = this.#identity;
    const opening = JSON.stringify({ id: completion, object: "chat.completion.chunk", created, model });
    this.#head = `data: ${opening.slice(0, -1)},"choices":[`;
    this.#tail = includeUsage ? `],"usage":null}\n\n` : "]}\n\n";
  }

  /** A completion as a whole. */
  completion({ text, finish, usage }: ChatOutcome): string {
    return this.#whole(text, finish, wireUsage(usage));
  }

  /**
   * A failure that came after the answer's status was sent: the message as content, with a `finish_reason`
   * that no answer has, and the error object beside it.
   */
  failure(error: ErrorObject): string {
    return this.#whole(error.message, "error", wireUsage({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }), error);
  }

  #whole(content: string, finish: string, usage: object, error?: ErrorObject): string {
    const message = { role: "assistant", content, refusal: null };
    return JSON.stringify({
      ...this.#identity,
      object: "chat.completion",
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
      usage,
      ...(error === undefined ? {} : { error }),
    });
  }

  /** The first chunk: the role. */
  role(): string {
    return this.#chunk('{"role":"assistant","content":""}', "null");
  }

  text(text: string): string {
    return this.#chunk(`{"content":${JSON.stringify(text)}}`, "null");
  }

  finish(reason: FinishReason): string {
    return this.#chunk("{}", `"${reason}"`);
  }

  /** The chunk of `stream_options.include_usage`. */
  usage(usage: TaskUsage): string {
    return `${this.#head}],"usage":${JSON.stringify(wireUsage(usage))}}\n\n`;
  }

  #chunk(delta: string, finish: string): string {
    return `${this.#head}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}${this.#tail}`;
  }
}
