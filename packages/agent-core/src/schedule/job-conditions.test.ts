import { expect, test } from "vitest";
import { VerifierError, type VerifierErrorCode } from "../verifier/index.ts";
import { JobConditions } from "./job-conditions.ts";

/** Checks that end when they are let. */
function held() {
  const running: PromiseWithResolvers<void>[] = [];
  let most = 0;
  let open = 0;
  const conditions = new JobConditions({
    prepare: async () => ({}) as never,
    async check(_, { signal }) {
      const one = Promise.withResolvers<void>();
      running.push(one);
      signal.addEventListener("abort", () => one.reject(signal.reason));
      most = Math.max(most, ++open);
      await one.promise.finally(() => open--);
      return { met: true, reason: "" } as never;
    },
  });
  return { conditions, running, most: () => most };
}

const look = { check: "core:url" };

test("a check that may not be set here is refused as such, one that cannot be read as invalid (G12)", async () => {
  const conditions = new JobConditions({
    prepare: (given) =>
      Promise.reject(new VerifierError((given as { type: string }).type as VerifierErrorCode, "not here")),
    check: () => Promise.reject(new Error("not asked")),
  });
  const codes = ["verifier.refused", "verifier.invalid"].map((type) =>
    conditions.require({ verifier: { type } }).catch((error: unknown) => error),
  );
  expect(await Promise.all(codes)).toMatchObject([{ code: "refused" }, { code: "invalid" }]);
});

test("four checks run at a time, whatever comes while one ends", async () => {
  const { conditions, running, most } = held();
  const asked = Array.from({ length: 9 }, (_, i) => conditions.check(`job-${i}`, look));
  for (let ended = 0; ended < 9; ended++) {
    await expect.poll(() => running.length).toBeGreaterThan(ended);
    running[ended]!.resolve();
    if (ended === 3) asked.push(conditions.check("late", look));
  }
  await expect.poll(() => running.length).toBe(10);
  running[9]!.resolve();
  expect(await Promise.all(asked)).toHaveLength(10);
  expect(most()).toBe(4);
});

test("a check that is stopped gives no verdict, so that its slot is left to the next process", async () => {
  const { conditions, running } = held();
  const asked = conditions.check("job", look);
  await expect.poll(() => running.length).toBe(1);
  conditions.stop();
  await expect(asked).rejects.toThrow("the service stops");
});
