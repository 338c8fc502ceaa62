/**
 * The phases of features.
 *
 * Invariants
 *  FT1  A feature is open before any that needs it, and closed after.
 *  FT2  What a feature contributes is collected once, when all are open; nothing is added later.
 *  FT3  A phase that fails names its feature. What was opened before is closed.
 */

import { type Contributions, collectContributions, type OpenFeature } from "./contributions.ts";
import type { Engine, TextRewriting } from "./engine.ts";
import type { AnyFeature } from "./feature.ts";
import { FeatureError, type FeaturePhase, phaseFailed } from "./feature-error.ts";
import { liveSettings, type SettingsSource } from "./settings-source.ts";

export class FeatureSet {
  readonly #open: OpenFeature[] = [];
  readonly #values: { [name: string]: unknown } = {};
  #contributions: Contributions | undefined;
  #log: Engine["log"] | undefined;

  /** What each feature's `open` returned, by its name. */
  get values(): { readonly [name: string]: unknown } {
    return this.#values;
  }

  /** What all contribute. @throws Error before `seal` */
  get contributions(): Contributions {
    if (this.#contributions === undefined) throw new Error("what features contribute is read before all are open");
    return this.#contributions;
  }

  /** Opens the features, each after its needs and otherwise in the order of the list (FT1). @throws FeatureError; the caller closes what was opened (FT3) */
  async open(list: readonly AnyFeature[], engine: Engine, source: SettingsSource): Promise<void> {
    this.#log = engine.log;
    for (const feature of inOrder(list)) {
      try {
        const settings = liveSettings(feature.sections ?? [], source);
        const value = await feature.open(engine, { needs: this.#values, settings });
        this.#open.push({ feature, value });
        this.#values[feature.name] = value;
      } catch (error) {
        throw phaseFailed("open", feature.name, error);
      }
    }
  }

  /** Collects what they contribute (FT2). @throws FeatureError */
  seal(): Contributions {
    this.#contributions = collectContributions(this.#open, this.#log);
    return this.#contributions;
  }

  /** @throws FeatureError */
  recover(): Promise<void> {
    return this.#forward("recover", ({ feature, value }) => feature.recover?.(value));
  }

  /** @throws FeatureError */
  start(): Promise<void> {
    return this.#forward("start", ({ feature, value }) => feature.start?.(value));
  }

  /** In reverse; every feature gets its turn. @throws the first failure, at the end */
  quiesce(): Promise<void> {
    return this.#backward("quiesce", ({ feature, value }) => feature.quiesce?.(value));
  }

  /** In reverse; every feature gets its turn. @throws the first failure, at the end */
  drain(graceMs: number): Promise<void> {
    return this.#backward("drain", ({ feature, value }) => feature.drain?.(value, graceMs));
  }

  /** In reverse; every feature gets its turn. @throws the first failure, at the end */
  beforeClose(): Promise<void> {
    return this.#backward("beforeClose", ({ feature, value }) => feature.beforeClose?.(value));
  }

  /** In reverse; every feature gets its turn. @throws the first failure, at the end */
  close(graceMs: number): Promise<void> {
    return this.#backward("close", ({ feature, value }) => feature.close?.(value, graceMs));
  }

  tick(): void {
    for (const { feature, value } of this.#open) feature.tick?.(value);
  }

  /** One round of retention; a feature that fails does not keep the others from theirs. @throws the first failure */
  async sweep(now: number): Promise<void> {
    await this.#all(this.#open, ({ feature, value }) => feature.sweep?.(value, now));
  }

  async forgetSession(session: string, retired: boolean): Promise<void> {
    for (const { feature, value } of this.#open) await feature.forgetSession?.(value, session, retired);
  }

  /** Removes a conversation. @throws Error where no feature can */
  removeSession(session: string): Promise<void> {
    for (const { feature, value } of this.#open) {
      if (feature.removeSession !== undefined) return feature.removeSession(value, session);
    }
    return Promise.reject(new Error("no feature of this engine removes conversations"));
  }

  /** Has a feature remove a conversation later, where it wants to; undefined: none can. */
  get deferral(): ((session: string) => Promise<boolean>) | undefined {
    const found = this.#open.find(({ feature }) => feature.deferRemoval !== undefined);
    return found && (async (session) => (await found.feature.deferRemoval?.(found.value, session)) ?? false);
  }

  async forgetTasks(tasks: readonly string[]): Promise<void> {
    for (const { feature, value } of this.#open) await feature.forgetTasks?.(value, tasks);
  }

  async rewriteTexts(rewriting: TextRewriting): Promise<void> {
    for (const { feature, value } of this.#open) await feature.rewriteTexts?.(value, rewriting);
  }

  async #forward(phase: FeaturePhase, run: (open: OpenFeature) => unknown): Promise<void> {
    for (const one of this.#open) {
      try {
        await run(one);
      } catch (error) {
        throw phaseFailed(phase, one.feature.name, error);
      }
    }
  }

  #backward(phase: FeaturePhase, run: (open: OpenFeature) => unknown): Promise<void> {
    return this.#all(this.#open.toReversed(), async (one) => {
      try {
        await run(one);
      } catch (error) {
        throw phaseFailed(phase, one.feature.name, error);
      }
    });
  }

  async #all(features: readonly OpenFeature[], run: (open: OpenFeature) => unknown): Promise<void> {
    const failures: unknown[] = [];
    for (const one of features) {
      try {
        await run(one);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** The features with each after its needs. @throws FeatureError feature.duplicate, feature.unmet_need, feature.circular_need */
function inOrder(list: readonly AnyFeature[]): readonly AnyFeature[] {
  const byName = new Map<string, AnyFeature>();
  for (const feature of list) {
    if (byName.has(feature.name)) throw new FeatureError("feature.duplicate", feature.name, "is listed twice");
    byName.set(feature.name, feature);
  }
  const ordered = new Set<AnyFeature>();
  const append = (feature: AnyFeature, path: readonly string[]): void => {
    if (ordered.has(feature)) return;
    if (path.includes(feature.name)) {
      const circle = [...path.slice(path.indexOf(feature.name)), feature.name].join(" → ");
      throw new FeatureError("feature.circular_need", feature.name, `needs itself: ${circle}`);
    }
    for (const { name } of feature.needs ?? []) {
      const needed = byName.get(name);
      if (needed === undefined)
        throw new FeatureError("feature.unmet_need", feature.name, `needs ${name}, which is not listed`);
      append(needed, [...path, feature.name]);
    }
    ordered.add(feature);
  };
  for (const feature of list) append(feature, []);
  return [...ordered];
}
