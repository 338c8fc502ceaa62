/**
 * The checks of watches, and what a verdict starts.
 *
 * Invariants
 *  WA2  A check that finds nothing new writes nothing.
 *  WA3  A watch is never checked beside itself; a check of a watch that was changed, replaced or removed meanwhile counts for
 *       nothing.
 */
import type { CheckVerdict } from "../verifier/index.ts";
import type { HeldWatch } from "./held-watch.ts";
import type { Fired } from "./reactions.ts";
import { observe, WATCH_LIMITS, type Watch } from "./watch.ts";
import type { WatchesParts } from "./watches-parts.ts";

/** Seconds that a check may take. */
const TIMEOUT_S = 120;

export interface WatchChecksOptions
  extends Pick<WatchesParts, "clock" | "db" | "events" | "held" | "log" | "reactions" | "store" | "verifiers"> {
  /** Aborted: the service is stopping. */
  readonly signal: AbortSignal;
  /** Has a watch checked at a time, epoch milliseconds; an ended one no more. */
  plan(held: HeldWatch, at: number): void;
}

export class WatchChecks {
  readonly #options: WatchChecksOptions;

  constructor(options: WatchChecksOptions) {
    this.#options = options;
  }

  /** Checks it, unless a check of it runs: then it waits for that (WA3). */
  async check(held: HeldWatch): Promise<void> {
    held.checking ??= this.#checkOnce(held).finally(() => {
      held.checking = undefined;
    });
    return held.checking;
  }

  /** As `check`, but with one that begins after the call: a check that runs may have looked before. */
  async checkAnew(held: HeldWatch): Promise<void> {
    await held.checking;
    if (held.watch.status === "active" && this.#isThere(held)) await this.check(held);
  }

  /** Writes no row that was replaced or removed: its place may be another watch's. */
  #isThere(held: HeldWatch, revision = held.revision): boolean {
    return held.revision === revision && this.#options.held.get(held.watch.id) === held;
  }

  async #checkOnce(held: HeldWatch): Promise<void> {
    const { clock, verifiers, held: all } = this.#options;
    const { watch, revision } = held;
    const { deadline } = watch;
    if (deadline !== undefined && deadline <= clock.now())
      return all.lock(watch.id, () => this.#expire(held, revision));
    const run = { signal: this.#options.signal, owner: `watch:${watch.id}`, timeoutS: TIMEOUT_S };
    let verdict: CheckVerdict;
    try {
      verdict = await verifiers.check(watch.check, run);
    } catch (error) {
      if (this.#options.signal.aborted) return;
      if (this.#isThere(held, revision)) this.#fail(held, error);
      return;
    }
    await all.lock(watch.id, async () => {
      if (this.#isThere(held, revision)) await this.#take(held, verdict);
    });
  }

  #fail(held: HeldWatch, error: unknown): void {
    const { clock, events } = this.#options;
    const { watch } = held;
    const errors = watch.state.errors + 1;
    const lastReason = `The check failed: ${error instanceof Error ? error.message : String(error)}`;
    held.watch = { ...watch, state: { ...watch.state, errors, lastChecked: clock.now(), lastReason } };
    if (errors === WATCH_LIMITS.failing) events.failing(held.watch);
  }

  async #take(held: HeldWatch, verdict: CheckVerdict): Promise<void> {
    const { clock, db, store, reactions, events, log } = this.#options;
    const { watch } = held;
    const now = clock.now();
    const { state, fires, stalls, isNews } = observe(watch, verdict, now);
    const ends = fires && !watch.repeat;
    const after: Watch = { ...watch, state, ...(ends && { status: "met" as const, finishedAt: now }) };
    const { reason, evidence } = verdict;
    const signal = fires ? (watch.trigger === "met" ? "met" : "change") : stalls ? "stalled" : undefined;
    if (signal !== undefined) {
      const fired: Fired = { watch: after, kind: signal, reason, evidence };
      await reactions.fire(held, fired);
      events.fired(fired);
      if (state.flapping && !watch.state.flapping) log.warn(`the watch ${watch.id} is flapping`);
    } else {
      if (isNews) await db.commit({ label: "watch.edge", statements: [store.put(after)] });
      held.watch = after;
      held.unsaved = !isNews && watch.stallAfter !== undefined && !state.stalled;
    }
    if (ends) this.#options.plan(held, now);
    if (isNews) events.changed(watch.id, "changed");
  }

  async #expire(held: HeldWatch, revision: number): Promise<void> {
    const { clock, reactions, events } = this.#options;
    if (!this.#isThere(held, revision) || held.watch.status !== "active") return;
    const { lastReason = "It was never checked.", lastEvidence = "" } = held.watch.state;
    const watch: Watch = { ...held.watch, status: "expired", finishedAt: clock.now() };
    const fired: Fired = { watch, kind: "expired", reason: lastReason, evidence: lastEvidence };
    await reactions.fire(held, fired);
    this.#options.plan(held, clock.now());
    events.fired(fired);
    events.changed(watch.id, "changed");
  }
}
