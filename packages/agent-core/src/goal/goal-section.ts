import type { SettingsSection } from "@agent-service/plugin-sdk";
import * as v from "valibot";
import { GOAL_LIMITS } from "./goal.ts";

const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

const schema = v.object({
  enabled: v.optional(v.boolean(), true),
  max_iterations: v.optional(whole(1, GOAL_LIMITS.iterations), 8),
  no_progress_limit: v.optional(whole(1, GOAL_LIMITS.noProgress), 3),
  eval_model: v.optional(v.string(), ""),
  verify_timeout: v.optional(whole(1, 3_600), 120),
  max_rounds_per_turn: v.optional(whole(0, 10_000), 50),
});

export type GoalSectionValue = v.InferOutput<typeof schema>;

/** The section `goal` (B62). */
export const goalSection = {
  name: "goal",
  title: "Goals",
  category: "Behavior",
  description: "Conditions that the agent works towards by itself, until a check says that they hold.",
  schema,
  environment: [
    {
      name: "GOAL_PATH",
      meaning: "The folder of copies of the goals and their plans; unset: /sandbox/goals where there is a /sandbox.",
    },
  ],
  fields: {
    enabled: {
      label: "Goals",
      description: "Drive goals, and give the agent and the chat the means to set them. Off, active goals pause.",
      type: "bool",
    },
    max_iterations: {
      label: "Iterations",
      description: "Verdicts after which a goal that names no number is exhausted.",
      type: "number",
    },
    no_progress_limit: {
      label: "No progress",
      description: "Equal verdicts in a row after which a goal that names no number is unachievable.",
      type: "number",
    },
    eval_model: {
      label: "Judge's model",
      description: "Model that judges goals without another check; blank: the auxiliary model, else the lead model.",
      type: "string",
    },
    verify_timeout: {
      label: "Check timeout",
      description: "Seconds that a check may take which names none.",
      type: "number",
    },
    max_rounds_per_turn: {
      label: "Rounds per turn",
      description: "Tool rounds of a turn that works on a goal, after which it pauses; 0: no such bound.",
      type: "number",
    },
  },
} as const satisfies SettingsSection;
