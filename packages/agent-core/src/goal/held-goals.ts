import { RowLocks } from "../trigger/index.ts";
import type { Goal } from "./goal.ts";

/** An active goal in memory. */
export interface HeldGoal {
  goal: Goal;
  /** The newest turn of its session that ended completed since it was checked, its drives aside. */
  completed: { readonly task: string; readonly at: number } | undefined;
}

/** The active goals of a store, by their session. All of them are in memory. */
export class HeldGoals {
  readonly #goals = new Map<string, HeldGoal>();
  readonly #locks = new RowLocks();

  get size(): number {
    return this.#goals.size;
  }

  get(context: string): HeldGoal | undefined {
    return this.#goals.get(context);
  }

  byId(id: string): HeldGoal | undefined {
    return this.all().find(({ goal }) => goal.id === id);
  }

  all(): readonly HeldGoal[] {
    return [...this.#goals.values()];
  }

  set(held: HeldGoal): void {
    this.#goals.set(held.goal.context, held);
  }

  /** Removes this one, not one that came in its place. */
  delete(held: HeldGoal): void {
    if (this.#goals.get(held.goal.context) === held) this.#goals.delete(held.goal.context);
  }

  /** Changes of the goal of one session run one after another. */
  lock<T>(context: string, change: () => Promise<T>): Promise<T> {
    return this.#locks.run(context, change);
  }

  /** Resolves once no change runs. */
  idle(): Promise<void> {
    return this.#locks.idle();
  }
}
