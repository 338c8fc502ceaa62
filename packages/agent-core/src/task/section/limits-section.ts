import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { DEFAULT_TURN_BOUNDS } from "../turn-bounds.ts";

/** The most turns that may work at a time: as many as may have begun. */
const MOST_RUNNING = DEFAULT_TURN_BOUNDS.maxBegun;

const between = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most));

const schema = v.object({
  // One slot could not be shared between the operator and peers.
  max_running_turns: v.optional(between(2, MOST_RUNNING), DEFAULT_TURN_BOUNDS.maxRunning),
  max_queued_turns: v.optional(between(2, 100_000), DEFAULT_TURN_BOUNDS.maxQueued),
});

export type LimitsSectionValue = v.InferOutput<typeof schema>;

/** The section `limits`: how much the agent does at a time (S7). */
export const limitsSection = {
  name: "limits",
  title: "Turns at a time",
  category: "Behavior",
  description: "How much the agent does at a time. Peers together have half of it; the operator goes first.",
  schema,
  fields: {
    max_running_turns: {
      label: "Running turns",
      description:
        "Turns that run tools or read their conversation at a time; the others wait in line. A turn that waits for its model does not count.",
      type: "number",
      minimum: 2,
      maximum: MOST_RUNNING,
    },
    max_queued_turns: {
      label: "Turns that wait",
      description: "Turns that may wait in line; a message beyond it is refused, to be sent again later (429).",
      type: "number",
      minimum: 2,
      maximum: 100_000,
    },
  },
} as const satisfies SettingsSection;
