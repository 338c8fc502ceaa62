import { expect, it } from "vitest";
import { readRuntimeStatus, runtimeRoutes } from "./index.ts";

it("reads the status anew each time", async () => {
  let asked = 0;
  const [status] = runtimeRoutes({
    status() {
      asked += 1;
      return Promise.reject(new Error(`asked ${asked}`));
    },
  });
  const call = { params: {}, query: undefined, body: undefined, signal: AbortSignal.any([]), headers: new Headers() };
  for (const time of [1, 2]) {
    await expect(status!.handle({ ...call, caller: "operator" })).rejects.toThrow(`asked ${time}`);
  }
  expect(status!.definition).toBe(readRuntimeStatus);
});
