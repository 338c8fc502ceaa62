import type { Lane } from "./lane.ts";
import type { Model, ModelCallOptions, ModelEvent, ModelPriority, ModelRequest } from "./model-port.ts";

type Result = IteratorResult<ModelEvent, undefined>;

/** One call that takes a slot of its lane when it is first asked for an event, and gives it back exactly once. */
export class LaneCall implements AsyncIterator<ModelEvent, undefined> {
  readonly #model: Model;
  readonly #lane: Lane;
  readonly #request: ModelRequest;
  readonly #options: ModelCallOptions;
  readonly #priority: ModelPriority;
  #call: AsyncIterator<ModelEvent, undefined> | undefined;
  #state: "outside" | "inside" | "over" = "outside";

  constructor(model: Model, lane: Lane, request: ModelRequest, options: ModelCallOptions) {
    this.#model = model;
    this.#lane = lane;
    this.#request = request;
    this.#options = options;
    this.#priority = options.priority ?? "default";
  }

  async next(): Promise<Result> {
    if (this.#state === "outside") {
      const { signal } = this.#options;
      signal.throwIfAborted();
      const waiting = this.#lane.enter(this.#priority, signal);
      if (waiting !== undefined) await waiting;
      // The reader may have left while this call waited; nobody would give the slot back then.
      if (this.#isOver()) this.#lane.leave(this.#priority);
      else this.#state = "inside";
    }
    if (this.#state === "over") return { done: true, value: undefined };
    try {
      this.#call ??= this.#model.stream(this.#request, this.#options)[Symbol.asyncIterator]();
      const result = await this.#call.next();
      if (result.done === true) this.#leave();
      return result;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  async return(): Promise<Result> {
    try {
      await this.#call?.return?.();
    } finally {
      this.#leave();
    }
    return { done: true, value: undefined };
  }

  #isOver(): boolean {
    return this.#state === "over";
  }

  #leave(): void {
    const wasInside = this.#state === "inside";
    this.#state = "over";
    if (wasInside) this.#lane.leave(this.#priority);
  }
}
