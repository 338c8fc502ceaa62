import type { ListTasksResponse, Task } from "../../task/index.ts";
import type { TaskQuery } from "../executor.ts";
import { cursorOfToken, pageToken } from "../page-token.ts";

/**
 * The page of `tasks` that a query asks for, newest status first; tasks of one millisecond in the order of their ids.
 * Throws `A2AError` INVALID_PARAMS for a page token that is none.
 */
export function listInMemory(tasks: Iterable<Task>, query: TaskQuery): ListTasksResponse {
  const { contextId, status, pageSize, statusSince } = query;
  const after = query.pageToken === undefined ? undefined : cursorOfToken(query.pageToken);
  const fitting = [...tasks]
    .map((task) => ({ task, id: task.id, time: Date.parse(task.status.timestamp ?? "") || 0 }))
    .filter(
      ({ task, time }) =>
        (contextId === undefined || task.contextId === contextId) &&
        (status === undefined || task.status.state === status) &&
        (statusSince === undefined || time >= statusSince),
    )
    .toSorted((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
  const rest =
    after === undefined
      ? fitting
      : fitting.filter(({ time, id }) => time < after.time || (time === after.time && id < after.id));
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map(({ task }) => task),
    nextPageToken: last === undefined || page.length === rest.length ? "" : pageToken(last),
    pageSize,
    totalSize: fitting.length,
  };
}
