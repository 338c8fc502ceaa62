import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { Clock } from "../../clock/index.ts";
import { ModelError } from "../model-error.ts";
import type { ModelEvent } from "../model-port.ts";
import { EventChannel } from "./event-channel.ts";
import { type ErrorOrigin, statusError } from "./provider-error.ts";
import { readRetryAfter } from "./retry-after.ts";
import { transportError } from "./transport-error.ts";

const ERROR_BODY_BYTES = 64 * 1024;

/** Reads the body of a 200 answer into model events. */
export interface BodyReader {
  /** Whether the answer is whole and its finish was handed out; what follows is ignored. */
  readonly done: boolean;
  /** Takes the next bytes. Throws `ModelError`. */
  push(chunk: Buffer): void;
  /** The body is over. Throws `ModelError` when the answer is not whole. */
  end(): void;
}

/** Makes the reader of one answer, which hands its events to `emit`. */
export type MakeBodyReader = (emit: (event: ModelEvent) => void) => BodyReader;

export interface ProviderCallOptions {
  readonly origin: ErrorOrigin;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly reader: MakeBodyReader;
}

/** One call: reads from the socket and fills its channel. Ends by itself, by abort, or when the reader leaves. */
export class ProviderCall implements Dispatcher.DispatchHandler {
  readonly events: EventChannel;
  readonly #options: ProviderCallOptions;
  readonly #reader: BodyReader;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #retryAfterMs: number | undefined;
  #errorBody: Buffer[] = [];
  #errorBytes = 0;
  #over = false;

  constructor(options: ProviderCallOptions) {
    this.#options = options;
    this.events = new EventChannel(() => this.#leave(new ModelError("network", "the reader left")));
    this.#reader = options.reader((event) => this.events.push(event));
    options.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  // A function, not this object: Node keeps object listeners in a weak map that outlives young collections, and with
  // them the whole call (measured: 10 times as much memory reached the old generation).
  readonly #onAbort = (): void => {
    this.events.fail(this.#options.signal.reason, true);
    this.#leave(this.#options.signal.reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Left while the connection was being made: there was nothing to destroy then.
    if (this.#over) controller.abort(new ModelError("network", "the call was given up"));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    if (status < 300) return;
    const fine = headers["retry-after-ms"];
    this.#retryAfterMs = readRetryAfter(
      {
        ...(headers["retry-after"] === undefined ? {} : { retryAfter: headers["retry-after"] }),
        ...(typeof fine === "string" ? { retryAfterMs: fine } : {}),
      },
      this.#options.clock.now(),
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#status >= 300) {
      if (this.#over) return;
      this.#errorBody.push(Buffer.from(chunk));
      this.#errorBytes += chunk.length;
      if (this.#errorBytes <= ERROR_BODY_BYTES) return;
      this.#settle(this.#refusal());
      controller.abort(new ModelError("network", "the rest of the error is not read"));
      return;
    }
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#settle(error);
      controller.abort(error instanceof Error ? error : new Error("unreadable answer"));
      return;
    }
    // After the answer's own end nothing is waited for; the connection goes back to the pool when the body ends.
    if (this.#reader.done) this.#settle();
  }

  onResponseEnd(): void {
    if (this.#over) return;
    if (this.#status >= 300) {
      this.#settle(this.#refusal());
      return;
    }
    try {
      this.#reader.end();
      this.#settle();
    } catch (error) {
      this.#settle(error);
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return;
    // An error status is reported as such even when its body broke off.
    this.#settle(this.#status >= 300 ? this.#refusal() : transportError(this.#options.origin, error, this.#status > 0));
  }

  #refusal(): ModelError {
    const body = Buffer.concat(this.#errorBody).subarray(0, ERROR_BODY_BYTES).toString("utf8");
    return statusError(this.#options.origin, { status: this.#status, body, retryAfterMs: this.#retryAfterMs });
  }

  #settle(error?: unknown): void {
    if (this.#over) return;
    this.#release();
    if (error === undefined) this.events.end();
    else this.events.fail(error);
  }

  #leave(reason: unknown): void {
    if (this.#over) return;
    const controller = this.#controller;
    this.#release();
    controller?.abort(reason instanceof Error ? reason : new Error("the call was aborted"));
  }

  /** Drops references to the socket, so that a finished call is collected before its connection closes. */
  #release(): void {
    this.#over = true;
    this.#controller = undefined;
    this.#options.signal.removeEventListener("abort", this.#onAbort);
  }
}
