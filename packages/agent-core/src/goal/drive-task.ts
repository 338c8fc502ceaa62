import type { StartTask } from "../task/index.ts";
import type { Goal } from "./goal.ts";
import { drivesFromOutside, driveText } from "./goal-text.ts";

/** The turn that works on a goal (G16). `maxRounds` 0: as many tool rounds as any turn. */
export function driveTask(
  goal: Goal,
  {
    id,
    messageId,
    remarks,
    maxRounds,
  }: {
    readonly id: string;
    readonly messageId: string;
    readonly remarks: readonly string[];
    readonly maxRounds: number;
  },
): StartTask {
  return {
    ...{ id, class: goal.class, context: goal.context, origin: "goal", provenance: { trigger: `goal:${goal.id}` } },
    // Titles and searches show the condition, not the words around it.
    input: {
      messageId,
      parts: [{ kind: "text", text: driveText(goal, remarks) }],
      metadata: { asked: goal.spec.condition },
    },
    options: {
      unattended: true,
      ...(maxRounds > 0 && { maxRounds }),
      ...(goal.spec.fresh && { fresh: true as const }),
      ...(drivesFromOutside(goal) && { wordsFrom: "goal" }),
    },
  };
}
