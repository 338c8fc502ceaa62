import fc from "fast-check";
import { expect, test } from "vitest";
import type { TaskLook } from "../trigger/index.ts";
import { dueReactions } from "./due-reactions.ts";
import type { HeldWatch } from "./held-watch.ts";

/** What is known of a watch here: its open reaction, and the fires that wait. */
interface Model {
  reaction: string | undefined;
  pending: number;
  attempt: number;
}

type Happening =
  | { readonly kind: "fire" | "restart" }
  | { readonly kind: "becomes"; readonly state: TaskLook["state"] | "deleted" };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.constant({ kind: "fire" } as const),
  fc.constant({ kind: "restart" } as const),
  fc.record({
    kind: fc.constant("becomes" as const),
    state: fc.constantFrom("queued", "running", "parked", "completed", "failed", "canceled", "deleted" as const),
  }),
);

test("reactions follow each other one at a time, and every fire has one, whatever order ends, parks and restarts come in (G20, TR3)", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      const model: Model = { reaction: undefined, pending: 0, attempt: 0 };
      const tasks = new Map<string, TaskLook>();
      let fires = 0;
      let answered = 0;
      const held = () => ({ watch: { state: { ...model } } }) as unknown as HeldWatch;
      const begin = (about: number, attempt: number): void => {
        const id = `t${tasks.size}`;
        tasks.set(id, { state: "running", interrupted: false } as TaskLook);
        Object.assign(model, { reaction: id, attempt });
        if (attempt === 1) answered += about;
      };
      /** As `Reactions` takes steps. */
      const settle = (): void => {
        for (let steps = 0; ; steps++) {
          expect(steps).toBeLessThan(10);
          const { steps: due, at } = dueReactions([held()], (id) => tasks.get(id));
          expect(at).toBeUndefined();
          const [step, ...more] = due;
          expect(more).toEqual([]);
          if (step === undefined) return;
          if (step.kind === "start") {
            expect([model.reaction, model.pending > 0]).toEqual([undefined, true]);
            const { pending } = model;
            model.pending = 0;
            begin(pending, 1);
          } else if (step.interrupted && model.attempt < 3) begin(0, model.attempt + 1);
          else Object.assign(model, { reaction: undefined, attempt: 0 });
        }
      };
      for (const one of happenings) {
        const open = model.reaction === undefined ? undefined : tasks.get(model.reaction);
        if (one.kind === "fire") {
          fires++;
          if (model.reaction === undefined) begin(1, 1);
          else model.pending++;
        } else if (one.kind === "restart" && open !== undefined && open.state !== "parked")
          tasks.set(model.reaction!, { state: "failed", interrupted: true } as TaskLook);
        else if (one.kind === "becomes" && open !== undefined) {
          if (one.state === "deleted") tasks.delete(model.reaction!);
          else tasks.set(model.reaction!, { state: one.state, interrupted: false } as TaskLook);
        }
        settle();
        expect(model.attempt).toBeLessThanOrEqual(3);
        // One that waits for a person keeps its place, and fires wait behind it.
        expect(fires).toBe(answered + model.pending);
        if (model.reaction === undefined) expect(model.pending).toBe(0);
      }
    }),
    { numRuns: 500 },
  );
});
