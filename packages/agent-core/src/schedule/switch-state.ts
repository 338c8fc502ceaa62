import type { Database } from "../database/index.ts";
import type { JobStore } from "./job-store.ts";

const KEY = "off";

export interface SwitchStateOptions {
  readonly db: Database;
  readonly store: JobStore;
  readonly now: () => number;
  /** Whether the settings have schedules on. */
  readonly isOn: () => boolean;
  /** Records the slots that came while schedules were off, before any is fired. */
  readonly recordOff: () => Promise<void>;
  readonly log: { warn(message: string): void };
}

/** Since when schedules are switched off, over restarts: what comes meanwhile is recorded, not made up for (G6). */
export class SwitchState {
  readonly #options: SwitchStateOptions;
  #off = false;
  #work: Promise<unknown> = Promise.resolve();
  #busy = false;

  constructor(options: SwitchStateOptions) {
    this.#options = options;
  }

  /** Slots may be fired. */
  get fires(): boolean {
    return this.#options.isOn() && !this.#off;
  }

  /** Takes over what a former process saw. @throws DatabaseError */
  async start(): Promise<void> {
    this.#off = (await this.#options.store.state(KEY)) !== undefined;
    await this.#follow();
  }

  /** Looks at the settings; must be asked every few seconds. */
  tick(): void {
    if (this.#busy || this.#off !== this.#options.isOn()) return;
    this.#busy = true;
    this.#work = this.#follow()
      .catch((error: unknown) => this.#options.log.warn(`schedules: ${String(error)}; looked at again`))
      .finally(() => {
        this.#busy = false;
      });
  }

  async stop(): Promise<void> {
    await this.#work;
  }

  async #follow(): Promise<void> {
    const { isOn, recordOff, store, db, now } = this.#options;
    const off = !isOn();
    if (off === this.#off) return;
    if (off) this.#off = true;
    else await recordOff();
    await db.commit({ label: "schedule.switch", statements: [store.setState(KEY, off ? String(now()) : undefined)] });
    this.#off = off;
  }
}
