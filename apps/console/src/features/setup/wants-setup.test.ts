import { createOperatorClient } from "@agent-service/operator-api/client";
import { expect, test } from "vitest";
import { wantsSetup } from "./wants-setup.ts";

const asked = (status: unknown, skipped?: string): Promise<boolean> => {
  const operator = createOperatorClient({
    fetch: () =>
      status === undefined ? Promise.reject(new TypeError("fetch failed")) : Promise.resolve(Response.json(status)),
  });
  return wantsSetup(operator, { read: () => skipped });
};
const fresh = { setup_complete: false, model: { provider: "scripted" } };

test("the wizard comes first on a fresh agent, and not after that", async () => {
  expect(await asked(fresh)).toBe(true);
  expect(await asked(fresh, "yes")).toBe(false);
  expect(await asked({ ...fresh, setup_complete: true })).toBe(false);
  expect(await asked({ ...fresh, model: { provider: "gateway" } })).toBe(false);
  expect(await asked(undefined)).toBe(false);
});
