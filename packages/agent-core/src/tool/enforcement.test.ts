import fc from "fast-check";
import { expect, it } from "vitest";
import { type EnforcementSettings, enforcementOf } from "./enforcement.ts";
import { RateWindow } from "./rate-window.ts";

const NOTHING: EnforcementSettings = { disallowed: [], rateLimits: {}, requireApproval: [] };

function under(first: Partial<EnforcementSettings>) {
  const state = { settings: { ...NOTHING, ...first }, now: 1_000 };
  const enforcement = enforcementOf(() => state.settings, { now: () => state.now });
  return { state, enforcement };
}

it("is nothing while nothing is configured, and follows its settings at once (S8)", () => {
  const { state, enforcement } = under({});
  expect(enforcement()).toBeUndefined();
  state.settings = { ...NOTHING, disallowed: ["web_*"], requireApproval: ["calculator"] };
  expect(enforcement()?.refusal("web_search")).toMatch(/^Blocked by policy: web_search is not allowed here\./);
  expect(enforcement()?.refusal("calculator")).toBeUndefined();
  expect([enforcement()?.asksFirst("calculator"), enforcement()?.asksFirst("web_search")]).toEqual([true, false]);
  state.settings = NOTHING;
  expect(enforcement()).toBeUndefined();
});

it("counts calls in a sliding window that outlives a change of its limit", () => {
  const { state, enforcement } = under({ rateLimits: { calculator: { max: 2, windowMs: 10_000 } } });
  expect(enforcement()?.check("calculator")).toBeUndefined();
  state.now += 4_000;
  expect(enforcement()?.check("calculator")).toBeUndefined();
  expect(enforcement()?.check("calculator")).toBe(
    "Blocked by policy: calculator may be called 2 times in 10 s. It was not run; it can be called again in 6 s.",
  );
  state.settings = { ...NOTHING, rateLimits: { calculator: { max: 1, windowMs: 10_000 } } };
  state.now += 6_000;
  expect(enforcement()?.check("calculator")).toContain("again in 4 s");
  state.now += 4_000;
  expect(enforcement()?.check("calculator")).toBeUndefined();
  state.settings = { ...NOTHING, rateLimits: { calculator: { max: 0, windowMs: 10_000 } } };
  expect(enforcement()?.check("calculator")).toContain("do not call it again");
});

it("has no window of its length with more calls than its limit", () => {
  const steps = fc.array(fc.nat(50), { maxLength: 60 });
  fc.assert(
    fc.property(fc.nat(5), fc.integer({ min: 1, max: 100 }), steps, (max, windowMs, waits) => {
      const window = new RateWindow({ max, windowMs });
      const accepted: number[] = [];
      let now = 0;
      for (const wait of waits) {
        now += wait;
        if (window.take(now)) accepted.push(now);
        const within = accepted.filter((at) => at > now - windowMs);
        expect(within.length).toBeLessThanOrEqual(max);
        expect(window.waitMs(now) > 0).toBe(within.length >= max);
      }
    }),
  );
});
