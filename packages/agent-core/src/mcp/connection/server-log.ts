import type { Clock } from "../../clock/index.ts";

/** Lines that are kept of a server (M15). */
const LOG_LINES = 200;
const LINE_CHARS = 2_000;

/** The last lines about a server: its standard error, and what happened to its connection. */
export class ServerLog {
  readonly #clock: Pick<Clock, "now">;
  readonly #redact: (line: string) => string;
  #lines: readonly string[] = [];

  /** `redact` takes secrets out of a line. */
  constructor(clock: Pick<Clock, "now">, redact: (line: string) => string) {
    this.#clock = clock;
    this.#redact = redact;
  }

  /** Oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  add(line: string): void {
    const shown = this.#redact(line).slice(0, LINE_CHARS);
    const at = new Date(this.#clock.now()).toISOString();
    this.#lines = [...this.#lines.slice(1 - LOG_LINES), `${at} ${shown}`];
  }
}
