import fc from "fast-check";
import { expect, test } from "vitest";
import type { HeldJob } from "./held-jobs.ts";
import { JobsOn } from "./jobs-on.ts";

const MOST = 3;

/** As it was before there was an order: all of them are looked at. */
function newestOf(jobs: readonly HeldJob[], context: string): readonly HeldJob[] {
  const isOwn = ({ job }: HeldJob): boolean => job.context === context;
  return jobs
    .filter((held) => held.job.enabled && held.next !== undefined && (!held.job.outside || isOwn(held)))
    .toSorted(
      (a, b) =>
        Number(isOwn(b)) - Number(isOwn(a)) || b.job.createdAt - a.job.createdAt || (a.job.id < b.job.id ? -1 : 1),
    )
    .slice(0, MOST);
}

test("the newest jobs that are on are those that a look at all of them finds, whatever is made, changed and removed", () => {
  const change = fc.record({
    id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
    createdAt: fc.nat(3),
    context: fc.constantFrom("x", "y"),
    outside: fc.boolean(),
    enabled: fc.boolean(),
    next: fc.option(fc.nat(5), { nil: undefined }),
    removed: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const jobs = new Map<string, HeldJob>();
      const on = new JobsOn<HeldJob>();
      for (const { id, next, removed, ...rest } of changes) {
        const known = jobs.get(id);
        if (known !== undefined && removed) {
          jobs.delete(id);
          on.delete(known);
          continue;
        }
        const { createdAt, context, outside } = known?.job ?? rest;
        const job = { id, createdAt, context, outside, enabled: rest.enabled } as HeldJob["job"];
        const held = known ?? ({ last: undefined, schedule: undefined } as unknown as HeldJob);
        jobs.set(id, Object.assign(held, { job, next }));
        on.put(held);
        const all = [...jobs.values()];
        expect(on.size).toBe(all.filter((one) => one.job.enabled && one.next !== undefined).length);
        for (const asked of ["x", "y", "z"])
          expect(on.newest(asked, (one) => !one.job.outside, MOST)).toEqual(newestOf(all, asked));
      }
    }),
  );
});
