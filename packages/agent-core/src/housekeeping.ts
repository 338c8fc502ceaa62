/** What an engine does by itself, again and again: ends silent turns, releases idle records, removes what has expired. */
import type { Clock } from "./clock/index.ts";
import type { FeatureSet } from "./feature/index.ts";
import { DEFAULT_RETENTION, lastSweep, type Retention, removeExpired } from "./journal/index.ts";
import type { TaskService } from "./task/index.ts";
import type { TurnDeps } from "./turn/index.ts";

/** Milliseconds between two looks for silent turns and idle records. */
const TICK_MS = 5_000;
/** Milliseconds between two looks whether a sweep is due: its interval can change, and runs on over restarts. */
const LOOK_MS = 60_000;
/** Milliseconds after a sweep that failed until the next one is tried. */
const AGAIN_MS = 3_600_000;
/** Milliseconds between two sweeps of the features. */
const HOUR_MS = 3_600_000;

type RetentionOption = Partial<Retention> | (() => Partial<Retention>) | undefined;

export interface HousekeepingParts {
  readonly clock: Clock;
  readonly deps: TurnDeps;
  readonly service: TaskService;
  readonly features: FeatureSet;
}

/** Returns the function that ends it. */
export function startHousekeeping(retention: RetentionOption, parts: HousekeepingParts): () => void {
  const { clock, deps, service, features } = parts;
  const sweeper = new Sweeper(retention, parts);
  const warn = (error: unknown): void => deps.log.warn(`retention: ${String(error)}`);
  const stops = [
    every(clock, TICK_MS, () => {
      service.runner.endSilent();
      features.tick();
      deps.journal.sweep();
    }),
    every(clock, LOOK_MS, () => void sweeper.look().catch(warn)),
    every(clock, HOUR_MS, () => void features.sweep(clock.now()).catch(warn)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Sweeps the store each time its interval is over (R14). */
class Sweeper {
  readonly #retention: RetentionOption;
  readonly #parts: HousekeepingParts;
  #sweptAt: number | undefined;
  #sweeping = false;

  constructor(retention: RetentionOption, parts: HousekeepingParts) {
    this.#retention = retention;
    this.#parts = parts;
  }

  async look(): Promise<void> {
    if (this.#sweeping) return;
    this.#sweeping = true;
    const { clock, deps } = this.#parts;
    const now = clock.now();
    const configured = typeof this.#retention === "function" ? this.#retention() : this.#retention;
    const keep: Retention = { ...DEFAULT_RETENTION, ...configured };
    const interval = keep.pruneIntervalHours * HOUR_MS;
    try {
      this.#sweptAt ??= await lastSweep(deps.db);
      if (now >= this.#sweptAt && now < this.#sweptAt + interval) return;
      // A sweep that fails is not tried again at each look.
      this.#sweptAt = now - interval + AGAIN_MS;
      await this.#sweep(now, keep);
      this.#sweptAt = now;
    } finally {
      this.#sweeping = false;
    }
  }

  async #sweep(now: number, keep: Retention): Promise<void> {
    const { deps, features } = this.#parts;
    const removeSession = (context: string): Promise<void> => features.removeSession(context);
    const swept = await removeExpired({ db: deps.db, now, keep, removeSession, deferRemoval: features.deferral });
    for (const id of swept.tasks) deps.journal.drop(id);
    const days = `${keep.conversationMaxAgeDays} days`;
    if (swept.conversations > 0) {
      const conversations = swept.conversations === 1 ? "1 conversation" : `${swept.conversations} conversations`;
      deps.log.info(`retention: removed ${conversations} without a message for ${days}`);
    }
    if (swept.waiting) {
      deps.log.warn(
        `retention: conversations older than ${days} stay, because this engine extracts no memories; checkpoint.harvest_enabled: false removes them without`,
      );
    }
  }
}

/** Repeats `run` every `ms` without keeping the process alive. Returns a function that stops it. */
function every(clock: Clock, ms: number, run: () => void): () => void {
  let timer = clock.setTimeout(tick, ms, { background: true });
  function tick(): void {
    run();
    timer = clock.setTimeout(tick, ms, { background: true });
  }
  return () => timer.cancel();
}
