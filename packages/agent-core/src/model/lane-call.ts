import type { Lane } from "./lane.ts";
import type { Model, ModelCallOptions, ModelEvent, ModelPriority, ModelRequest } from "./model-port.ts";

type Result = IteratorResult<ModelEvent, undefined>;

/** A call that takes a slot of its lane before its first event, and releases it exactly once. */
export class LaneCall implements AsyncIterator<ModelEvent, undefined> {
  readonly #model: Model;
  readonly #lane: Lane;
  readonly #request: ModelRequest;
  readonly #options: ModelCallOptions;
  readonly #priority: ModelPriority;
  #call: AsyncIterator<ModelEvent, undefined> | undefined;
  #state: "idle" | "running" | "over" = "idle";

  constructor(model: Model, lane: Lane, request: ModelRequest, options: ModelCallOptions) {
    this.#model = model;
    this.#lane = lane;
    this.#request = request;
    this.#options = options;
    this.#priority = options.priority ?? "default";
  }

  async next(): Promise<Result> {
    if (this.#state === "idle") {
      const { signal } = this.#options;
      signal.throwIfAborted();
      const waiting = this.#lane.acquire(this.#priority, signal);
      if (waiting !== undefined) await waiting;
      // The reader may have returned while this call waited: nothing else would release the slot then.
      if (this.#isOver()) this.#lane.release(this.#priority);
      else this.#state = "running";
    }
    if (this.#state === "over") return { done: true, value: undefined };
    try {
      this.#call ??= this.#model.stream(this.#request, this.#options)[Symbol.asyncIterator]();
      const result = await this.#call.next();
      if (result.done === true) this.#release();
      return result;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  async return(): Promise<Result> {
    try {
      await this.#call?.return?.();
    } finally {
      this.#release();
    }
    return { done: true, value: undefined };
  }

  #isOver(): boolean {
    return this.#state === "over";
  }

  #release(): void {
    const wasRunning = this.#state === "running";
    this.#state = "over";
    if (wasRunning) this.#lane.release(this.#priority);
  }
}
