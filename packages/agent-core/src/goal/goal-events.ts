import type { EventBus } from "../bus/index.ts";
import type { Goal } from "./goal.ts";
import type { GoalEvents } from "./goals-parts.ts";

/** Publishes what happens to goals, after the commits (G27). `onChange` is called with each change. */
export function goalEvents(
  bus: EventBus,
  redact: (text: string) => string,
  onChange: (goal: Goal, isGone: boolean) => void,
): GoalEvents {
  const about = ({ context, spec }: Goal) => ({ session_id: context, condition: redact(spec.condition) });
  return {
    changed(goal, action) {
      onChange(goal, action === "removed");
      bus.publish("goal.changed", { session_id: goal.context, action });
    },
    iteration(goal) {
      const { iteration, maxIterations: max_iterations, lastReason: reason } = goal.state;
      bus.publish("goal.iteration", { ...about(goal), iteration, max_iterations, reason });
    },
    roundCap: ({ context }, task) => void bus.publish("goal.round_cap", { session_id: context, task_id: task }),
    ended(goal, reason) {
      onChange(goal, false);
      const { status, state } = goal;
      const topic = status === "met" ? "goal.met" : "goal.failed";
      bus.publish(topic, { ...about(goal), status, reason, evidence: state.lastEvidence });
      bus.publish("goal.changed", { session_id: goal.context, action: "changed" });
    },
  };
}
