import type { TaskState } from "@agent-service/agent-core";
import * as v from "valibot";

/** The state of a turn in the words of document 1. */
export const taskStateSchema = v.pipe(
  v.picklist(["working", "input-required", "completed", "failed", "canceled"]),
  v.description("`working` also while it waits in line; `input-required` while it waits for a person."),
);

/** The state as people and programs outside are told it (ruling A5). */
export function taskStateWord(state: TaskState): v.InferOutput<typeof taskStateSchema> {
  if (state === "queued" || state === "running") return "working";
  return state === "parked" ? "input-required" : state;
}
