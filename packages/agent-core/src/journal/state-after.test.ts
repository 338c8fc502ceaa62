import { expect, test } from "vitest";
import { NO_USAGE, type TaskEvent, type TaskState } from "../event/index.ts";
import { stateAfter } from "./state-after.ts";

const input = { messageId: "m", parts: [{ kind: "text", text: "hi" }] } as const;
const totals = { usage: NO_USAGE, durationMs: 1 };
const accepted = { kind: "task.accepted", class: "operator", context: "c", origin: "a2a", input } as const;
const answered = { kind: "prompt.answered", promptId: "p", answer: input } as const;

test.each<[TaskEvent, TaskState | undefined]>([
  [{ ...accepted, state: "queued" }, "queued"],
  [{ ...accepted, state: "running" }, "running"],
  [{ kind: "task.started" } as TaskEvent, "running"],
  [{ kind: "task.resumed" } as TaskEvent, "running"],
  [{ kind: "task.parked", prompts: [] }, "parked"],
  [{ ...answered, state: "queued" }, "queued"],
  [{ ...answered, state: "running" }, "running"],
  [{ ...answered, state: "parked" }, "parked"],
  [{ kind: "task.completed", ...totals }, "completed"],
  [{ kind: "task.failed", ...totals } as TaskEvent, "failed"],
  [{ kind: "task.canceled", ...totals }, "canceled"],
  [{ kind: "text.delta", text: "a" }, undefined],
  [{ kind: "prompt.withdrawn", promptId: "p" }, undefined],
])("%j puts its task in the state %s", (event, state) => {
  expect(stateAfter(event)).toBe(state);
});
