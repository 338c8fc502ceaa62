import { ModelError } from "../model-error.ts";
import type { ModelCallOptions, ModelEvent } from "../model-port.ts";

/** What of a request a model may not take. */
const OPTIONAL_PARAMETERS = [
  "temperature",
  "top_p",
  "top_k",
  "seed",
  "presence_penalty",
  "repetition_penalty",
  "max_tokens",
] as const;
export type OptionalParameter = (typeof OPTIONAL_PARAMETERS)[number];

/** What is known of a model's parameters. */
export interface TakenParameters {
  /** Those that were refused. */
  readonly refused: ReadonlySet<OptionalParameter>;
  /** It wants the cap of tokens as `max_completion_tokens`, as OpenAI's newer models do. */
  readonly capsCompletion: boolean;
}

/** As long as nothing else is known. */
export const ALL_TAKEN: TakenParameters = Object.freeze({ refused: new Set<never>(), capsCompletion: false });
/** Models of a gateway of which something is known; a caller may name any. */
const MAX_MODELS = 256;

/** "Unsupported value: 'temperature' does not support 0.2 with this model", "Unrecognized request argument supplied: top_k". */
const REFUSAL =
  /unsupported|not support|unrecogni[sz]ed|unexpected|unknown (?:parameter|field|argument)|not permitted/i;

/** What is known of the parameters of a gateway's models: all are taken until one is refused by its name. */
export class ParameterBook {
  readonly #models = new Map<string, TakenParameters>();

  of(model: string): TakenParameters {
    return this.#models.get(model) ?? ALL_TAKEN;
  }

  /** Whether the error says that a parameter is not taken; then the next request goes without it, or with its other name. */
  learn(model: string, error: unknown): boolean {
    if (!(error instanceof ModelError) || error.code !== "bad_request" || !REFUSAL.test(error.message)) return false;
    const { refused, capsCompletion } = this.of(model);
    const named = (name: string): boolean => new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(error.message);
    if (this.#models.size >= MAX_MODELS) this.#models.clear();
    if (named("max_tokens") && named("max_completion_tokens") && !capsCompletion) {
      this.#models.set(model, { refused, capsCompletion: true });
      return true;
    }
    const parameter = OPTIONAL_PARAMETERS.find((name) => !refused.has(name) && named(name));
    if (parameter === undefined) return false;
    this.#models.set(model, { refused: new Set([...refused, parameter]), capsCompletion });
    return true;
  }
}

type Result = IteratorResult<ModelEvent, undefined>;

/** A call that is made again, before its first event, as long as its failures say which parameter the model does not take. */
export class AdaptingCall implements AsyncIterator<ModelEvent, undefined> {
  readonly #begin: () => AsyncIterator<ModelEvent, undefined>;
  readonly #learns: (error: unknown) => boolean;
  readonly #options: ModelCallOptions;
  #attempt: AsyncIterator<ModelEvent, undefined>;
  #yielded = false;

  constructor(
    begin: () => AsyncIterator<ModelEvent, undefined>,
    learns: (error: unknown) => boolean,
    options: ModelCallOptions,
  ) {
    this.#begin = begin;
    this.#learns = learns;
    this.#options = options;
    this.#attempt = begin();
  }

  next(): Promise<Result> {
    return this.#yielded ? this.#attempt.next() : this.#first();
  }

  async return(): Promise<Result> {
    await this.#attempt.return?.();
    return { done: true, value: undefined };
  }

  async #first(): Promise<Result> {
    // Each round leaves out one parameter more, so there are no more rounds than parameters.
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.#attempt.next();
        this.#yielded = true;
        return result;
      } catch (error) {
        if (!this.#learns(error)) throw error;
        this.#options.signal.throwIfAborted();
        this.#options.onRetry?.({ attempt, error, waitMs: 0 });
        this.#attempt = this.#begin();
      }
    }
  }
}
