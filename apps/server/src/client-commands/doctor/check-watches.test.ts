import { expect, it } from "vitest";
import { type KnownWatch, watchFindings } from "./check-watches.ts";

const watch = (id: string, more: Partial<KnownWatch> = {}): KnownWatch => ({
  ...{ id, status: "active", flapping: false, errors: 0, last_reason: "" },
  ...more,
});

it("names watches that flap, checks that fail, and that none is checked", () => {
  expect(watchFindings(true, [watch("a", { status: "met", flapping: true })])).toEqual([]);
  const failing = watch("b", { errors: 2, last_reason: "The check failed: no network" });
  const found = watchFindings(true, [watch("a"), failing, watch("c", { flapping: true })]);
  expect(found.map(({ state, text }) => [state, text])).toEqual([
    ["ok", "3 active"],
    ["warning", "b: The check failed: no network"],
    ["warning", "c is flapping"],
  ]);
  expect(watchFindings(false, [watch("a")])).toMatchObject([{ state: "warning", remedy: expect.any(String) }]);
});
