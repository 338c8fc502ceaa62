import type { Clock } from "../clock/index.ts";
import type { EngineLog } from "../log/index.ts";
import type { TextVersions } from "./text-versions.ts";

/** How often each skill was begun, by name, and when it was last. */
export type SkillUseCounts = ReadonlyMap<string, { readonly count: number; readonly at: number }>;

interface Use {
  readonly count: number;
  readonly at: number;
}

export interface SkillUsesOptions {
  readonly versions: Pick<TextVersions, "uses" | "addUses">;
  readonly exists: () => boolean;
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<EngineLog, "warn">;
}

const FLUSH_MS = 60_000;

/** How often skills are begun: counted in memory and written once a minute, since a lost count harms nothing. */
export class SkillUses {
  readonly #options: SkillUsesOptions;
  #all = new Map<string, Use>();
  #waiting = new Map<string, Use>();
  #flushedAt = 0;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: SkillUsesOptions) {
    this.#options = options;
  }

  get all(): SkillUseCounts {
    return this.#all;
  }

  /** Reads what was counted in former processes. Never rejects. */
  async load(): Promise<void> {
    const { versions, exists, log } = this.#options;
    if (!exists()) return;
    try {
      const known = await versions.uses();
      for (const [name, use] of this.#waiting) count(known, name, use);
      this.#all = known;
    } catch (error) {
      log.warn(`how often skills are used could not be read: ${String(error)}`);
    }
  }

  add(name: string): void {
    const use = { count: 1, at: this.#options.clock.now() };
    count(this.#all, name, use);
    count(this.#waiting, name, use);
  }

  tick(): void {
    if (this.#waiting.size > 0 && this.#options.clock.now() - this.#flushedAt >= FLUSH_MS) void this.flush();
  }

  /** Writes what was counted. Never rejects. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(async () => {
      const uses = this.#waiting;
      if (uses.size === 0) return;
      this.#waiting = new Map();
      this.#flushedAt = this.#options.clock.now();
      await this.#options.versions.addUses(uses).catch(() => {
        for (const [name, use] of uses) count(this.#waiting, name, use);
      });
    });
    return this.#flushing;
  }
}

function count(into: Map<string, Use>, name: string, { count: more, at }: Use): void {
  const before = into.get(name);
  into.set(name, { count: (before?.count ?? 0) + more, at: Math.max(before?.at ?? 0, at) });
}
