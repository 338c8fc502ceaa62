import type { Clock, Timer } from "../clock/index.ts";
import { outcomeOfError, outcomeOfStatus, type PostOutcome } from "./post-outcome.ts";
import type { WebhookPost } from "./push-config.ts";

/** Milliseconds a POST may take (W2). */
export const TIMEOUT_MS = 10_000;
/**
 * Milliseconds a running POST is left when its task ends or parks. Most are answered by then, and their receiver sees
 * `working` before `completed` instead of two requests at once.
 */
const GRACE_MS = 200;

/** Makes a POST. @returns the status of the response */
export type SendWebhook = (url: string, post: WebhookPost & { readonly signal: AbortSignal }) => Promise<number>;

/** One POST to a webhook. */
export class RunningPost {
  /** Number of the event that it notifies of. */
  readonly target: number;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #grace: Timer | undefined;

  constructor(target: number, clock: Clock) {
    this.target = target;
    this.#clock = clock;
  }

  /** Resolves with undefined when it was aborted, by `abort` or after `abortSoon`. */
  async send(url: string, post: WebhookPost, send: SendWebhook): Promise<PostOutcome | undefined> {
    const controller = this.#controller;
    let timedOut = false;
    const abandon = (): void => {
      timedOut = true;
      controller.abort();
    };
    const timeout = this.#clock.setTimeout(abandon, TIMEOUT_MS, { background: true });
    try {
      return outcomeOfStatus(await send(url, { ...post, signal: controller.signal }));
    } catch (error) {
      if (timedOut) return { kind: "failed", reason: `no answer within ${TIMEOUT_MS} ms` };
      return controller.signal.aborted ? undefined : outcomeOfError(error);
    } finally {
      timeout.cancel();
      this.#grace?.cancel();
    }
  }

  /** Aborts it `GRACE_MS` after the first call. */
  abortSoon(): void {
    this.#grace ??= this.#clock.setTimeout(() => this.abort(), GRACE_MS, { background: true });
  }

  abort(): void {
    this.#controller.abort();
  }
}
