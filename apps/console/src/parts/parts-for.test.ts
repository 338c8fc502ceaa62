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
