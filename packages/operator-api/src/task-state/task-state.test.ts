import { expect, it } from "vitest";
import { a2aStateOf } from "./index.ts";

it("maps states of the engine to five states of A2A (A5)", () => {
  const states = ["queued", "running", "parked", "completed", "failed", "canceled"] as const;
  expect(states.map(a2aStateOf)).toEqual([
    ...["working", "working", "input-required"],
    ...["completed", "failed", "canceled"],
  ]);
});
