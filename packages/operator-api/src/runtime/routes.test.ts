import { expect, it } from "vitest";
import { askRoutes } from "../testing/index.ts";
import { runtimeRoutes } from "./routes.ts";

const contents = { version: "1", topics: [], definitions: () => [], features: () => ({}) };

it("reads the status anew each time", async () => {
  let asked = 0;
  const ask = askRoutes(
    runtimeRoutes(
      {
        status() {
          asked += 1;
          return Promise.reject(new Error(`asked ${asked}`));
        },
      },
      contents,
    ),
  );
  for (const time of [1, 2]) await expect(ask("GET", "/api/runtime/status")).rejects.toThrow(`asked ${time}`);
});

it("adds the features of the API to the status", async () => {
  const features = { notes: { available: true, enabled: false } };
  const [status] = runtimeRoutes({ status: async () => ({}) as never }, { ...contents, features: () => features });
  const call = { params: {}, query: undefined, body: undefined, signal: AbortSignal.any([]), headers: new Headers() };
  const refuseDecision = async () => undefined;
  expect(await status!.handle({ ...call, caller: "operator", refuseDecision })).toEqual({ features });
});
