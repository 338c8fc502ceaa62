import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type ReactElement, useEffect } from "react";
import { pagedQuery, useApi } from "../../api/index.ts";
import { type TaskRow, uniqueTasks } from "../../timeline/index.ts";
import { dayName, EmptyState, ListStates, Page } from "../../ui/index.ts";
import { byDay } from "./by-day.ts";
import { queryOf, readFilter, type TaskFilter } from "./task-filter.ts";
import { TaskFilters } from "./task-filters.tsx";
import { TaskLine } from "./task-line.tsx";

/** Rows of a search below which it looks further back by itself, and pages after which it asks first. */
const ENOUGH = 10;
const PAGES_BY_ITSELF = 5;

/** All runs, which are tasks of A2A, the last change of state first, by day; live. */
export function TasksPage(): ReactElement {
  const filter = readFilter(useSearch({ strict: false }));
  const list = useTasks(filter);
  const rows = uniqueTasks(list.data?.pages.flatMap(({ tasks }) => tasks) ?? []);
  return (
    <Page title="Runs">
      <TaskFilters filter={filter} />
      <ListStates
        list={list}
        isEmpty={rows.length === 0}
        failed="The runs cannot be read"
        skeletons={8}
        empty={<NoTasks filtered={Object.keys(filter).length > 0} />}
      >
        <Days rows={rows} />
        {isSearch(filter) && list.hasNextPage && (
          <p role="status" className="px-4 py-3 text-sm text-ink-soft">
            {list.isFetchingNextPage ? "Looking further back…" : "Older runs were not searched yet."}
          </p>
        )}
      </ListStates>
    </Page>
  );
}

/** Whether pages end where the service stops looking, and not where they are full. */
function isSearch({ search, model, tool }: TaskFilter): boolean {
  return [search, model, tool].some((one) => one !== undefined);
}

function useTasks(filter: TaskFilter) {
  const { operator } = useApi();
  const list = useInfiniteQuery({
    ...pagedQuery(["tasks", "list", filter], (page, signal) =>
      operator.get("/api/a2a/tasks", { signal, query: { ...queryOf(filter), limit: 50, ...page } }),
    ),
    placeholderData: (before) => before,
  });
  const { data, hasNextPage, isFetching, isPlaceholderData, fetchNextPage } = list;
  const pages = data?.pages ?? [];
  const found = pages.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const isShort = found < ENOUGH && pages.length < PAGES_BY_ITSELF;
  const wantsMore = isSearch(filter) && hasNextPage && isShort && !isFetching && !isPlaceholderData;
  useEffect(() => {
    // Such a page may hold nothing.
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  return list;
}

function Days({ rows }: { readonly rows: readonly TaskRow[] }): ReactElement {
  const now = new Date();
  const longestMs = Math.max(0, ...rows.map(({ duration_ms: ms }) => ms ?? 0));
  return (
    <div className="pb-4">
      {byDay(rows, now).map(([day, tasks], index) => (
        <section key={day} aria-label={day}>
          <h2 className="border-b border-line bg-sunken px-4 py-1 text-xs font-medium text-ink-soft">{day}</h2>
          <ol>
            {tasks.map((task) => (
              <TaskLine
                key={task.task_id}
                task={task}
                longestMs={longestMs}
                isToday={index === 0 && day === dayName(now, now)}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function NoTasks({ filtered }: { readonly filtered: boolean }): ReactElement {
  return filtered ? (
    <EmptyState drawing="search" title="No such run">
      Nothing the agent did fits these filters.{" "}
      <Link to="/tasks" search={{}} className="text-accent underline">
        Show all runs
      </Link>
    </EmptyState>
  ) : (
    <EmptyState drawing="runs" title="No run yet">
      Every turn of the agent is listed here: from the chat, from other agents over A2A, from jobs and subagents. Say
      something to the agent, and open its run to see what happened.
    </EmptyState>
  );
}
