import { type Clock, sleep, systemClock } from "../clock/index.ts";
import { ModelError } from "./model-error.ts";
import type { Model, ModelCallOptions, ModelEvent, ModelRequest } from "./model-port.ts";

export interface RetryOptions {
  /** Attempts after the first (B52 `model.max_retries`). 0 is off. */
  readonly maxRetries: number;
  readonly clock?: Clock;
  /** A number of at least 0 and below 1, for the jitter. */
  readonly random?: () => number;
  /** Milliseconds before the first retry, doubled for each further one. Default 500. */
  readonly baseDelayMs?: number;
  /** Longest wait of our own choosing. Default 30,000. */
  readonly maxDelayMs?: number;
  /** Longest wait a provider's Retry-After can ask for; more is cut to it. Default 60,000. */
  readonly maxRetryAfterMs?: number;
}

/**
 * Repeats calls that failed for a passing reason (R6): 429, 5xx, network errors and timeouts, exponentially with
 * jitter, at least as long as Retry-After asks. Never once the call has yielded anything: emitted text cannot be taken
 * back here. An abort ends the wait at once. `onRetry` of the call's options is called before each wait.
 */
export function withRetry(model: Model, options: RetryOptions): Model {
  if (options.maxRetries <= 0) return model;
  const policy: Policy = {
    maxRetries: options.maxRetries,
    clock: options.clock ?? systemClock(),
    random: options.random ?? Math.random,
    baseDelayMs: options.baseDelayMs ?? 500,
    maxDelayMs: options.maxDelayMs ?? 30_000,
    maxRetryAfterMs: options.maxRetryAfterMs ?? 60_000,
  };
  return {
    stream: (request, callOptions) => ({
      [Symbol.asyncIterator]: () => new RetryingCall(model, policy, request, callOptions),
    }),
  };
}

type Policy = Required<RetryOptions>;
type Result = IteratorResult<ModelEvent, undefined>;

class RetryingCall implements AsyncIterator<ModelEvent, undefined> {
  readonly #model: Model;
  readonly #policy: Policy;
  readonly #request: ModelRequest;
  readonly #options: ModelCallOptions;
  #attempt: AsyncIterator<ModelEvent, undefined>;
  #retries = 0;
  #yielded = false;

  constructor(model: Model, policy: Policy, request: ModelRequest, options: ModelCallOptions) {
    this.#model = model;
    this.#policy = policy;
    this.#request = request;
    this.#options = options;
    this.#attempt = this.#begin();
  }

  next(): Promise<Result> {
    // After the first event there is nothing left to do here: no promise more than the call itself needs.
    return this.#yielded ? this.#attempt.next() : this.#first();
  }

  async return(): Promise<Result> {
    await this.#attempt.return?.();
    return { done: true, value: undefined };
  }

  #begin(): AsyncIterator<ModelEvent, undefined> {
    return this.#model.stream(this.#request, this.#options)[Symbol.asyncIterator]();
  }

  async #first(): Promise<Result> {
    for (;;) {
      try {
        const result = await this.#attempt.next();
        this.#yielded = true;
        return result;
      } catch (error) {
        const { signal, onRetry } = this.#options;
        if (!(error instanceof ModelError) || !error.retryable || this.#retries >= this.#policy.maxRetries) throw error;
        signal.throwIfAborted();
        const waitMs = retryDelay(this.#policy, this.#retries, error.retryAfterMs);
        this.#retries += 1;
        onRetry?.({ attempt: this.#retries, error, waitMs });
        await sleep(this.#policy.clock, waitMs, signal);
        this.#attempt = this.#begin();
      }
    }
  }
}

/** Between half and the whole of the doubled delay, so that callers refused together do not come back together. */
function retryDelay(policy: Policy, retries: number, retryAfterMs: number | undefined): number {
  const delay = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** retries);
  const jittered = Math.round(delay / 2 + (delay / 2) * policy.random());
  return retryAfterMs === undefined ? jittered : Math.max(jittered, Math.min(retryAfterMs, policy.maxRetryAfterMs));
}
