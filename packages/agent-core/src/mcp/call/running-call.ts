import type { JsonObject } from "../../json/index.ts";
import type { Elicitation } from "../connection/index.ts";
import { CANCELED } from "./elicitation.ts";
import type { TaskNote } from "./task-note.ts";

/** A question that a server of the 2025 era waits for while the call hangs. */
export interface HeldQuestion {
  readonly params: JsonObject;
  answer(result: JsonObject): void;
}

/** How a server answered a call: with a result, or its task asks something. */
export type CallAnswer =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "task"; readonly note: TaskNote };

/** What a call did first. */
export type CallStep = CallAnswer | { readonly kind: "question"; readonly question: HeldQuestion };

const ENDED = new Error("the call has ended");

/** A call that runs on a connection, and goes on while a person is asked. */
export class RunningCall {
  readonly taskId: string;
  /** How often it asked a model. */
  asked = 0;
  readonly #stop = new AbortController();
  readonly #result: Promise<CallStep>;
  #isAnswered = false;
  #hasAsked = false;
  #question: HeldQuestion | undefined;
  #onQuestion: ((question: HeldQuestion) => void) | undefined;

  /** `send` makes the call; its signal is aborted by `abort`. */
  constructor(taskId: string, send: (signal: AbortSignal) => Promise<CallAnswer>) {
    this.taskId = taskId;
    this.#result = send(this.#stop.signal);
    // Whoever waits for the next step sees it; while a person is asked, nothing does.
    this.#result.then(
      () => {
        this.#isAnswered = true;
      },
      () => {},
    );
  }

  /** Aborted once it runs no more. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** A person is asked now. */
  get isAsking(): boolean {
    return this.#question !== undefined;
  }

  /** Waits for the result or a question; aborted by the signal, the call is cancelled. @throws what `send` throws */
  async next(signal: AbortSignal): Promise<CallStep> {
    const onAbort = (): void => this.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const question = new Promise<CallStep>((resolve) => {
        this.#onQuestion = (asked) => resolve({ kind: "question", question: asked });
      });
      return await Promise.race([this.#result, question]);
    } finally {
      this.#onQuestion = undefined;
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Hands a question of the server to whoever waits for the next step; resolves with the answer. */
  ask({ params, signal }: Elicitation): Promise<JsonObject> {
    const hand = this.#onQuestion;
    if (hand === undefined || this.#question !== undefined) return Promise.resolve(CANCELED);
    this.#hasAsked = true;
    return new Promise((resolve) => {
      const answer = (result: JsonObject): void => {
        this.#question = undefined;
        resolve(result);
      };
      signal.addEventListener("abort", () => answer(CANCELED), { once: true });
      this.#question = { params, answer };
      hand(this.#question);
    });
  }

  /** Answers the question. */
  answer(result: JsonObject): void {
    this.#question?.answer(result);
  }

  abort(reason: unknown): void {
    this.#stop.abort(reason);
  }

  /** Ends the call: a request or question of it that is still open is canceled. Without one, nothing is to be done. */
  end(): void {
    if (!this.#isAnswered || this.#hasAsked || this.asked > 0) this.abort(ENDED);
  }
}
