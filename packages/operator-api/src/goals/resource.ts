import { defineResource } from "../resource/index.ts";
import {
  clearGoal,
  goalRoutes,
  listGoalEvents,
  listGoals,
  readGoal,
  rearmGoal,
  resumeGoal,
  setGoal,
} from "./routes.ts";

const data = "`session_id`, `condition`, `status`, `reason`, `evidence`";

/** Conditions that the agent works towards by itself, until a check says that they hold. */
export const goals = defineResource({
  name: "goals",
  feature: "goals",
  definitions: [listGoals, setGoal, readGoal, listGoalEvents, rearmGoal, resumeGoal, clearGoal] as const,
  topics: [
    {
      topic: "goal.changed",
      when: "A goal was set, changed, paused, resumed or removed",
      data: "`session_id`, `action` (set, changed, removed)",
    },
    {
      topic: "goal.iteration",
      when: "A check of a goal came to a verdict, and the agent goes on",
      data: "`session_id`, `condition`, `iteration`, `max_iterations`, `reason`",
    },
    {
      topic: "goal.round_cap",
      when: "A turn of a goal reached its number of tool rounds",
      data: "`session_id`, `task_id`",
    },
    { topic: "goal.met", when: "A goal is met", data },
    { topic: "goal.failed", when: "A goal is given up: exhausted or unachievable", data },
  ],
  routes: goalRoutes,
});
