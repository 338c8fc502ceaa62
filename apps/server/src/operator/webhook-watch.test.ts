import { expect, it } from "vitest";
import { watchWebhooks } from "./webhook-watch.ts";

it("names hosts whose last webhook was given up, until one arrives, and only so many", () => {
  const watch = watchWebhooks();
  expect(watch.arrived("a")).toBe(false);
  watch.failed("a");
  watch.failed("b");
  watch.failed("a");
  expect(watch.failing()).toEqual(["b", "a"]);
  expect(watch.arrived("a")).toBe(true);
  expect(watch.arrived("a")).toBe(false);
  expect(watch.failing()).toEqual(["b"]);
  for (let n = 0; n < 30; n += 1) watch.failed(`host-${n}`);
  expect(watch.failing()).toHaveLength(20);
  expect(watch.failing().at(-1)).toBe("host-29");
});
