import type { ModelEvent } from "../model-port.ts";

interface Waiting {
  readonly resolve: (result: IteratorResult<ModelEvent, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

const DONE: IteratorResult<ModelEvent, undefined> = Object.freeze({ done: true, value: undefined });

/**
 * Hands events from a socket's callbacks to one reader, in order. Text that the reader has not taken yet grows in
 * place, so a slow reader sees fewer, longer pieces and the channel holds no more events than the answer has turns
 * between text, reasoning and calls.
 */
export class EventChannel implements AsyncIterator<ModelEvent, undefined> {
  #queue: ModelEvent[] = [];
  #head = 0;
  #waiting: Waiting | undefined;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  readonly #onReturn: () => void;

  /** `onReturn` is called when the reader leaves before the end. */
  constructor(onReturn: () => void) {
    this.#onReturn = onReturn;
  }

  push(event: ModelEvent): void {
    if (this.#ended) return;
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve({ done: false, value: event });
      return;
    }
    const at = this.#queue.length - 1;
    const last = at >= this.#head ? this.#queue[at] : undefined;
    if (last !== undefined && (event.kind === "text" || event.kind === "reasoning") && last.kind === event.kind) {
      this.#queue[at] = { kind: event.kind, text: last.text + event.text };
    } else this.#queue.push(event);
  }

  /** No more events. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting?.resolve(DONE);
    this.#waiting = undefined;
  }

  /** The reader gets `error` after the events it has not taken yet; with `now`, instead of them. */
  fail(error: unknown, now = false): void {
    if (this.#ended && !now) return;
    this.#ended = true;
    this.#failure = { error };
    if (now) {
      this.#queue = [];
      this.#head = 0;
    }
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    this.#failure = undefined;
    waiting.reject(error);
  }

  next(): Promise<IteratorResult<ModelEvent, undefined>> {
    const event = this.#queue[this.#head];
    if (event !== undefined) {
      this.#head += 1;
      if (this.#head === this.#queue.length) {
        this.#queue = [];
        this.#head = 0;
      }
      return Promise.resolve({ done: false, value: event });
    }
    const failure = this.#failure;
    if (failure !== undefined) {
      this.#failure = undefined;
      return Promise.reject(failure.error);
    }
    if (this.#ended) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<ModelEvent, undefined>> {
    if (!this.#ended) this.#onReturn();
    this.#queue = [];
    this.#head = 0;
    this.#failure = undefined;
    this.end();
    return Promise.resolve(DONE);
  }
}
