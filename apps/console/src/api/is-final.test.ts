import { OperatorApiError } from "@agent-service/operator-api/client";
import { expect, test } from "vitest";
import { isFinal } from "./is-final.ts";

test("what was refused is not asked again; what failed on the way, or was too much at once, is", () => {
  const refused = [401, 404, 422].map((status) => new OperatorApiError(status, undefined, undefined));
  const passing = [429, 500, 503].map((status) => new OperatorApiError(status, undefined, undefined));
  expect(refused.map(isFinal)).toEqual([true, true, true]);
  expect([...passing, new TypeError("fetch failed")].map(isFinal)).toEqual([false, false, false, false]);
});
