/** Runs of slots that another service makes (G2): asked again under the same key until it answers, or too often. */
import type { Clock, Timer } from "../clock/index.ts";
import type { RunOutcome } from "./attempt-end.ts";
import type { OpenRun } from "./due-runs.ts";
import type { HeldJob } from "./held-jobs.ts";
import { keyOf } from "./run-key.ts";
import type { RunNotes } from "./scheduled-job.ts";

/** Milliseconds before it is asked again. */
const AGAIN_MS = [30_000, 120_000, 480_000] as const;

/** What another service is sent of a run. */
export interface SentRun {
  readonly key: string;
  readonly text: string;
  readonly context: string;
  /** The text holds what came from outside: the conversation there is marked by it (G29). */
  readonly outside: boolean;
}

/** Has another service run a slot; the same key again is the same run. Rejects where there is no answer. */
export type RunElsewhere = (run: SentRun, signal: AbortSignal) => Promise<RunOutcome>;

export interface RemoteRunsOptions {
  readonly clock: Clock;
  readonly elsewhere: () => RunElsewhere | undefined;
  /** Takes the end of a run. */
  readonly ended: (run: OpenRun, outcome: RunOutcome) => Promise<void>;
  readonly log: { warn(message: string): void };
}

export class RemoteRuns {
  readonly #options: RemoteRunsOptions;
  readonly #stop = new AbortController();
  readonly #under = new Set<Promise<void>>();
  readonly #timers = new Set<Timer>();

  constructor(options: RemoteRunsOptions) {
    this.#options = options;
  }

  /** Sends a run whose row is committed, until it has an end. */
  send(held: HeldJob, run: OpenRun, { text = "", outside }: RunNotes): void {
    this.#try(run, { key: keyOf(run.job, run), text, context: held.job.context, outside: outside === true }, 0);
  }

  /** Sends nothing any more; the next process sends what has no end, under the same keys. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const timer of this.#timers) timer.cancel();
    await Promise.all(this.#under);
  }

  #try(run: OpenRun, sent: SentRun, tries: number): void {
    const work = this.#once(run, sent, tries).catch((error: unknown) =>
      this.#options.log.warn(`schedules: the end of a run could not be stored: ${String(error)}`),
    );
    this.#under.add(work);
    void work.then(() => this.#under.delete(work));
  }

  async #once(run: OpenRun, sent: SentRun, tries: number): Promise<void> {
    const { elsewhere, ended, clock } = this.#options;
    const ask = elsewhere();
    if (ask === undefined) return ended(run, { state: "unconfirmed", reason: "it is not sent elsewhere any more" });
    let outcome: RunOutcome;
    try {
      outcome = await ask(sent, this.#stop.signal);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const wait = AGAIN_MS[tries];
      const why = error instanceof Error ? error.message : String(error);
      if (wait === undefined) return ended(run, { state: "unconfirmed", reason: why.slice(0, 300).toWellFormed() });
      const timer = clock.setTimeout(
        () => {
          this.#timers.delete(timer);
          this.#try(run, sent, tries + 1);
        },
        wait,
        { background: true },
      );
      this.#timers.add(timer);
      return;
    }
    await ended(run, outcome);
  }
}
