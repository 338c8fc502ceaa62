import type { Clock } from "../clock/index.ts";

const WINDOW_MS = 300_000;
const MAX_KEPT = 1_024;

/** How long things took within the last five minutes: the newest 1,024 of them, in a ring of fixed size. */
export class WaitWindow {
  readonly #clock: Clock;
  /** Made with the first entry, so that an unused lane costs no memory. */
  #ring: { readonly at: Float64Array; readonly ms: Float64Array } | undefined;
  #added = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes one, in milliseconds. */
  add(ms: number): void {
    this.#ring ??= { at: new Float64Array(MAX_KEPT), ms: new Float64Array(MAX_KEPT) };
    const slot = this.#added % MAX_KEPT;
    this.#ring.at[slot] = this.#clock.now();
    this.#ring.ms[slot] = ms;
    this.#added += 1;
  }

  /** How many there are; at most 1,024. */
  count(): number {
    return this.#recent().length;
  }

  /** The values at these ranks (0 to 1) by nearest rank; none at all when there are no entries. */
  percentiles(...ranks: readonly number[]): number[] {
    const sorted = this.#recent().sort((a, b) => a - b);
    if (sorted.length === 0) return [];
    return ranks.map((rank) => sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)] ?? 0);
  }

  #recent(): number[] {
    const ring = this.#ring;
    if (ring === undefined) return [];
    const since = this.#clock.now() - WINDOW_MS;
    const kept: number[] = [];
    for (let slot = 0; slot < Math.min(this.#added, MAX_KEPT); slot++) {
      const at = ring.at[slot];
      const ms = ring.ms[slot];
      if (at !== undefined && ms !== undefined && at > since) kept.push(ms);
    }
    return kept;
  }
}
