import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { wait } from "./wait.ts";

test("a wait ends by the clock or by its signal, and leaves nothing on the signal", async () => {
  const ending = new AbortController();
  await wait(1, ending.signal);
  expect(getEventListeners(ending.signal, "abort")).toEqual([]);
  const long = wait(600_000, ending.signal);
  ending.abort();
  await long;
  expect(getEventListeners(ending.signal, "abort")).toEqual([]);
});
