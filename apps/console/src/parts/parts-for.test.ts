import { expect, test } from "vitest";
import { partsFor } from "./parts-for.ts";

const parts = [
  { path: "/work/jobs", label: "Jobs", feature: "background" },
  { path: "/work/board", label: "Board", feature: "tasks" },
];

test("parts of what the service does not have do not exist", () => {
  const features = { background: { available: false, enabled: false }, tasks: { available: true, enabled: false } };
  expect(partsFor(parts, features).map(({ label }) => label)).toEqual(["Board"]);
  expect(partsFor(parts, undefined)).toEqual([]);
});

test("a part that is for a feature at work is offered only while that is switched on", () => {
  const queue = [{ path: "/observe/lanes", label: "Queue", feature: "model_lanes", whenEnabled: true }];
  const offered = (enabled: boolean) => partsFor(queue, { model_lanes: { available: true, enabled } }).length;
  expect([offered(false), offered(true)]).toEqual([0, 1]);
});
