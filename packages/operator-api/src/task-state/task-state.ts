import type { TaskState } from "@agent-service/agent-core/host";
import * as v from "valibot";

/** The state of a task as A2A names it. */
export const taskStateSchema = v.pipe(
  v.picklist(["working", "input-required", "completed", "failed", "canceled"]),
  v.description("`working` also while it waits in line; `input-required` while it waits for a person."),
);

/** The A2A state of a state of the engine (A5). */
export function a2aStateOf(state: TaskState): v.InferOutput<typeof taskStateSchema> {
  if (state === "queued" || state === "running") return "working";
  return state === "parked" ? "input-required" : state;
}
