/**
 * Traces of tasks, sent over OTLP/HTTP as JSON (B60 `tracing`). A reading of the journal: spans are made of
 * events as they are committed, behind the turn.
 *
 * Invariants
 *  TC1  No turn waits for a collector; what waits to be sent is bounded, the oldest is dropped first (EN10).
 *  TC2  No span holds a secret (S5) or a text of the conversation.
 *  TC3  What a killed process had not sent is not sent later: traces are for watching, turn rows for counting.
 */
import type { CommittedEvent, TaskView } from "../event/index.ts";
import type { JournalReader } from "../projection/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { type OtlpSpan, spansOf } from "./task-spans.ts";

export interface TracingOptions {
  /** The whole address, ending in `/v1/traces`. */
  readonly url: string;
  /** With the credentials, if there are any. */
  readonly headers: { readonly [name: string]: string };
  /** The agent's name. */
  readonly agent: string;
  readonly version: string;
  readonly redactor: Pick<Redactor, "text">;
  readonly clock: { now(): number };
  readonly log: { warn(message: string): void };
}

const MAX_WAITING = 4_000;
/** Spans of one request. */
const BATCH = 500;
const TIMEOUT_MS = 10_000;
/** Time before a collector that did not answer is asked again. */
const RETRY_MS = 15_000;

/** Sends spans; a reader of the journal. */
export class Tracing implements JournalReader {
  readonly name = "tracing";
  readonly #options: TracingOptions;
  #spans: OtlpSpan[] = [];
  #notBefore = 0;
  #complained = false;

  constructor(options: TracingOptions) {
    this.#options = options;
  }

  take(view: Readonly<TaskView>, events: readonly CommittedEvent[]): number {
    const spans = spansOf(view, events, this.#options.agent);
    if (spans.length === 0) return 0;
    this.#spans.push(...spans);
    if (this.#spans.length > MAX_WAITING) this.#spans.splice(0, this.#spans.length - MAX_WAITING);
    return spans.length;
  }

  replay(): void {
    // TC3.
  }

  cursor(): Promise<number> {
    return Promise.resolve(this.#options.clock.now());
  }

  written(tasks: readonly string[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set(tasks));
  }

  async flush(): Promise<void> {
    const { clock } = this.#options;
    if (clock.now() < this.#notBefore) return;
    while (this.#spans.length > 0) {
      const batch = this.#spans.splice(0, BATCH);
      const outcome = await this.#send(batch);
      if (outcome === "sent") {
        this.#complained = false;
        continue;
      }
      this.#complain(outcome.reason);
      if (!outcome.again) continue;
      this.#spans = [...batch, ...this.#spans].slice(-MAX_WAITING);
      this.#notBefore = clock.now() + RETRY_MS;
      return;
    }
  }

  async #send(spans: readonly OtlpSpan[]): Promise<"sent" | { readonly reason: string; readonly again: boolean }> {
    const { url, headers } = this.#options;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: this.#body(spans),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return "sent";
      // OTLP: these may be sent again, everything else must not.
      const again = [429, 502, 503, 504].includes(response.status);
      return { reason: `HTTP ${response.status}`, again };
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: unknown } };
      return { reason: typeof cause?.code === "string" ? cause.code : String(error), again: true };
    }
  }

  #body(spans: readonly OtlpSpan[]): string {
    const { agent, version, redactor } = this.#options;
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const body = {
      resourceSpans: [
        {
          resource: { attributes: [attribute("service.name", agent), attribute("service.version", version)] },
          scopeSpans: [{ scope: { name: "agent-service", version }, spans }],
        },
      ],
    };
    // Texts that callers, tools or providers chose: names, ids and codes.
    return JSON.stringify(body, (_key, value: unknown) => (typeof value === "string" ? redactor.text(value) : value));
  }

  #complain(reason: string): void {
    if (this.#complained) return;
    this.#complained = true;
    this.#options.log.warn(`tracing: ${new URL(this.#options.url).origin} does not take traces: ${reason}`);
  }
}
