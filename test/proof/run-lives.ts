import { WAIT_LIMIT_MS } from "../run/limits.ts";
import { setDeadline } from "./deadline.ts";
import { describeOpen } from "./describe-open.ts";
import type { Ledger } from "./ledger.ts";
import type { ServiceLife } from "./service-life.ts";

/** Milliseconds of this process's time that a trial may take: one takes a few seconds, so only what hangs reaches it. */
const TRIAL_MS = 4 * WAIT_LIMIT_MS;

/** A trial whose lives are run. */
export interface LivingTrial {
  readonly folder: { readonly root: string };
  readonly ledger: Ledger;
  /** The life that runs, to be ended where the trial hangs. */
  life: ServiceLife | undefined;
}

/** Runs the lives of a trial. What fails in them, and that they hang, is blamed on the service. */
export async function runLives(trial: LivingTrial, lives: () => Promise<void>): Promise<void> {
  const { folder, ledger } = trial;
  const limit = setDeadline(TRIAL_MS);
  limit.signal.addEventListener("abort", () => {
    ledger.blame(`it hangs after ${TRIAL_MS / 1_000} s:\n${describeOpen(`${folder.root}/agent.db`)}`);
    trial.life?.kill();
  });
  try {
    await lives();
  } catch (error) {
    ledger.blame(error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error));
  } finally {
    limit.clear();
  }
}
