import type { ScheduledJob } from "./scheduled-job.ts";

/** What decides whether a job is on, and where it stands. */
interface Listed {
  readonly job: Pick<ScheduledJob, "id" | "context" | "createdAt" | "enabled">;
  readonly next: number | undefined;
}

/**
 * The jobs that are on, the newest last, so that turns find the newest without a look at all of them: each turn is shown some,
 * and there may be 1,000.
 */
export class JobsOn<Held extends Listed> {
  readonly #all: Held[] = [];
  /** Those of a conversation. */
  readonly #of = new Map<string, Held[]>();

  get size(): number {
    return this.#all.length;
  }

  /** Takes a job in, or out, as it is now. What it is found by does not change: when it was made, its id, its conversation. */
  put(held: Held): void {
    if (!held.job.enabled || held.next === undefined) {
      this.delete(held);
      return;
    }
    insert(this.#all, held);
    const { context } = held.job;
    const of = this.#of.get(context);
    if (of === undefined) this.#of.set(context, [held]);
    else insert(of, held);
  }

  delete(held: Held): void {
    remove(this.#all, held);
    const { context } = held.job;
    const of = this.#of.get(context);
    if (of === undefined) return;
    remove(of, held);
    if (of.length === 0) this.#of.delete(context);
  }

  /** The newest of a conversation, and then the newest of the others that `isShown`; at most so many. */
  newest(context: string, isShown: (held: Held) => boolean, most: number): readonly Held[] {
    const found = (this.#of.get(context) ?? []).slice(-most).reverse();
    for (let at = this.#all.length - 1; at >= 0 && found.length < most; at--) {
      const held = this.#all[at]!;
      if (held.job.context !== context && isShown(held)) found.push(held);
    }
    return found;
  }
}

/** Of two made at one time, the one whose id comes first counts as the newer. */
function isOlder({ job: one }: Listed, { job: other }: Listed): boolean {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id > other.id);
}

/** Where a job stands, or would. */
function placeOf(sorted: readonly Listed[], held: Listed): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isOlder(sorted[middle]!, held)) from = middle + 1;
    else to = middle;
  }
  return from;
}

function insert<T extends Listed>(sorted: T[], held: T): void {
  const at = placeOf(sorted, held);
  sorted.splice(at, sorted[at]?.job.id === held.job.id ? 1 : 0, held);
}

function remove(sorted: Listed[], held: Listed): void {
  const at = placeOf(sorted, held);
  if (sorted[at]?.job.id === held.job.id) sorted.splice(at, 1);
}
