/** The checks before slots (G8): `{check, check_args}` names a verifier, `{verifier}` is one as goals and watches have it. */
import { VerifierError, type Verifiers } from "../verifier/index.ts";
import { JobError } from "./schedule-error.ts";
import type { JobCondition } from "./scheduled-job.ts";

const AT_ONCE = 4;
const TIMEOUT_S = 120;
const REASON_CHARS = 300;

/** How a check before a slot came out. */
export interface CheckedCondition {
  /** Undefined: it could not be made; the slot runs. */
  readonly met: boolean | undefined;
  readonly reason: string;
}

export class JobConditions {
  readonly #verifiers: Pick<Verifiers, "prepare" | "check">;
  readonly #stop = new AbortController();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(verifiers: Pick<Verifiers, "prepare" | "check">) {
    this.#verifiers = verifiers;
  }

  /** @throws JobError invalid, refused */
  async require(condition: JobCondition): Promise<void> {
    try {
      await this.#prepared(condition);
    } catch (error) {
      if (!(error instanceof VerifierError)) throw error;
      const code = error.code === "verifier.refused" ? "refused" : "invalid";
      throw new JobError(code, `only_if: ${error.message}`, { cause: error });
    }
  }

  /** Rejects only where it was stopped. */
  async check(job: string, condition: JobCondition): Promise<CheckedCondition> {
    // Who waits is given the place of one that has ended.
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      const prepared = await this.#prepared(condition);
      const run = { signal: this.#stop.signal, owner: `schedule:${job}`, timeoutS: TIMEOUT_S };
      const { met, reason } = await this.#verifiers.check(prepared, run);
      return { met, reason };
    } catch (error) {
      // The slot is left to the next process, which asks again.
      this.#stop.signal.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      return { met: undefined, reason: why.slice(0, REASON_CHARS).toWellFormed() };
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** Ends the checks that run. */
  stop(): void {
    this.#stop.abort(new Error("the service stops"));
  }

  #prepared({ check, check_args, verifier, ...rest }: JobCondition) {
    const isOne = (check === undefined) !== (verifier === undefined) && Object.keys(rest).length === 0;
    if (!isOne) throw new JobError("invalid", "only_if has either `check` with `check_args`, or `verifier`");
    const given = verifier ?? { type: "plugin", check, ...(check_args !== undefined && { args: check_args }) };
    return this.#verifiers.prepare(given, { by: "operator", model: false });
  }
}
