import type { Find } from "../../shell/index.ts";
import { taskTitle } from "../../timeline/index.ts";
import { ago } from "../../ui/index.ts";

/** Shorter texts are in nearly every run. */
const SHORTEST = 2;

/** Runs by the words of what was asked and answered, the last change of state first. */
export const findRuns: Find = async (search, { api, limit, signal }) => {
  if (search !== "" && search.length < SHORTEST) return [];
  const query = { limit, ...(search !== "" && { search }) };
  const { tasks } = await api.operator.get("/api/a2a/tasks", { query, signal });
  return tasks.map((task) => ({
    id: `run-${task.task_id}`,
    label: taskTitle(task),
    detail: ago(new Date(task.last_updated), new Date()),
    to: `/tasks/${encodeURIComponent(task.task_id)}`,
  }));
};
