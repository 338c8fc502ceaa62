import { expect, it } from "vitest";
import { telemetryService } from "./telemetry-service.ts";

const opened = (enabled: boolean, log: string[]) => ({
  enabled,
  reports: {
    insights: async (savings: (model: string) => number | undefined) => {
      log.push("insights");
      return [savings("priced"), savings("unknown")];
    },
  },
  written: async () => void log.push("written"),
});

it("reads reports after the rows were written, with what a cached token saves", async () => {
  const log: string[] = [];
  const price = (model: string) => (model === "priced" ? { input: 3, output: 1, cacheRead: 1 } : undefined);
  const reports = telemetryService(opened(true, log) as never, price)();
  expect(await reports?.insights()).toEqual([0.000002, undefined]);
  expect(log).toEqual(["written", "insights"]);
});

it("has no reports while telemetry is off", () => {
  expect(telemetryService(opened(false, []) as never, () => undefined)()).toBeUndefined();
});
