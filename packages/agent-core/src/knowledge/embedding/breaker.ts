/** Failures in a row after which an endpoint is left alone, and milliseconds for which it is (K25). */
const MOST_FAILURES = 2;
const OPEN_MS = 300_000;

/** Leaves an endpoint alone that fails. Another endpoint begins anew. */
export class Breaker {
  #of = "";
  #failures = 0;
  #openUntil = 0;

  /** Whether requests to `endpoint` are made at `now`. */
  isOpen(endpoint: string, now: number): boolean {
    this.#follow(endpoint);
    return now < this.#openUntil;
  }

  failed(endpoint: string, now: number): void {
    this.#follow(endpoint);
    if (++this.#failures >= MOST_FAILURES) this.#openUntil = now + OPEN_MS;
  }

  worked(endpoint: string): void {
    this.#follow(endpoint);
    this.#failures = 0;
    this.#openUntil = 0;
  }

  #follow(endpoint: string): void {
    if (endpoint === this.#of) return;
    this.#of = endpoint;
    this.#failures = 0;
    this.#openUntil = 0;
  }
}
