import fc from "fast-check";
import { expect, test } from "vitest";
import { type Lift, liftAnnouncement, stepLift } from "./lift.ts";

const lift: Lift = { id: "task-1", title: "Renew", from: "open", over: "open", by: "keys" };

test("arrows carry an issue to the next column, space drops it there, and each step is announced", () => {
  const right = stepLift(lift, "ArrowRight");
  expect(right).toEqual({ to: "carry", lift: { ...lift, over: "in_progress" } });
  const drop = right && stepLift(right.lift, " ");
  expect(drop?.to).toBe("drop");
  expect(right && liftAnnouncement(right)).toContain("over In progress");
  expect(drop && liftAnnouncement(drop)).toBe("Renew moved to In progress.");
});

test("escape puts it back, and so does dropping it where it was", () => {
  const back = stepLift({ ...lift, over: "closed" }, "Escape");
  expect(back?.to).toBe("cancel");
  expect(back && liftAnnouncement(back)).toBe("Renew stays in Open.");
  expect(liftAnnouncement({ to: "drop", lift })).toBe("Renew stays in Open.");
});

test("no sequence of keys leaves the board or changes what is carried", () => {
  const keys = fc.array(fc.constantFrom("ArrowLeft", "ArrowRight", "a", "ArrowUp", "Shift"));
  fc.assert(
    fc.property(keys, (pressed) => {
      let carried = lift;
      for (const key of pressed) {
        const step = stepLift(carried, key);
        if (step === undefined) continue;
        expect(step.to).toBe("carry");
        carried = step.lift;
      }
      expect(["open", "in_progress", "blocked", "deferred", "closed"]).toContain(carried.over);
      expect({ ...carried, over: lift.over }).toEqual(lift);
    }),
  );
});
