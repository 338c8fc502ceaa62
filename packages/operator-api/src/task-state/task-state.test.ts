import { expect, it } from "vitest";
import { taskStateWord } from "./index.ts";

it("says states in document 1's five words (ruling A5)", () => {
  const states = ["queued", "running", "parked", "completed", "failed", "canceled"] as const;
  expect(states.map(taskStateWord)).toEqual([
    ...["working", "working", "input-required"],
    ...["completed", "failed", "canceled"],
  ]);
});
