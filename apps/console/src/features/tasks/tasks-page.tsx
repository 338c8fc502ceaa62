import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { pagedQuery, useApi } from "../../api/index.ts";
import { originLabel, type TaskRow, taskTitle, uniqueTasks } from "../../timeline/index.ts";
import {
  classNames,
  count,
  dollars,
  duration,
  EmptyState,
  ListStates,
  Page,
  RelativeTime,
  SelectField,
  StateBadge,
  tokens,
  workState,
} from "../../ui/index.ts";
import { ORIGINS, queryOf, readFilter, STATES, type TaskFilter } from "./task-filter.ts";

/** All runs, which are tasks of A2A, the last change of state first; live. */
export function TasksPage(): ReactElement {
  const { operator } = useApi();
  const filter = readFilter(useSearch({ strict: false }));
  const list = useInfiniteQuery(
    pagedQuery(["tasks", "list", filter], (page) =>
      operator.get("/api/a2a/tasks", { query: { ...queryOf(filter), limit: 50, ...page } }),
    ),
  );
  const rows = uniqueTasks(list.data?.pages.flatMap(({ tasks }) => tasks) ?? []);
  return (
    <Page title="Runs">
      <Filters filter={filter} />
      <ListStates
        list={list}
        isEmpty={rows.length === 0}
        failed="The runs cannot be read"
        skeletons={8}
        empty={<NoTasks filtered={Object.keys(filter).length > 0} />}
      >
        <ol className="pb-4">
          {rows.map((task) => (
            <TaskLine key={task.task_id} task={task} />
          ))}
        </ol>
      </ListStates>
    </Page>
  );
}

function NoTasks({ filtered }: { readonly filtered: boolean }): ReactElement {
  return filtered ? (
    <EmptyState title="No such run">
      Nothing the agent did fits these filters.{" "}
      <Link to="/tasks" search={{}} className="text-accent underline">
        Show all runs
      </Link>
    </EmptyState>
  ) : (
    <EmptyState title="No run yet">
      Every turn of the agent is listed here: from the chat, from other agents over A2A, from jobs and subagents. Say
      something to the agent, and open its run to see what happened.
    </EmptyState>
  );
}

function Filters({ filter }: { readonly filter: TaskFilter }): ReactElement {
  const navigate = useNavigate();
  const show = (next: TaskFilter): void => void navigate({ to: "/tasks", search: next });
  const { origin } = filter;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
      <nav aria-label="State" className="flex flex-wrap gap-1">
        {([undefined, ...STATES] as const).map((state) => (
          <Link
            key={state ?? "all"}
            to="/tasks"
            search={{ ...(state && { state }), ...(origin && { origin }) }}
            aria-current={filter.state === state ? "true" : undefined}
            className={classNames(
              "inline-flex min-h-8 items-center rounded-md px-2 text-sm hover:bg-hover",
              filter.state === state && "bg-accent-soft",
            )}
          >
            {state === undefined ? "All" : <StateBadge state={workState(state)} />}
          </Link>
        ))}
      </nav>
      <div className="ml-auto w-40">
        <SelectField
          label="Origin"
          bare
          value={origin ?? ""}
          onChange={({ target: { value } }) =>
            show({ ...(filter.state && { state: filter.state }), ...readFilter({ origin: value }) })
          }
        >
          <option value="">Every origin</option>
          {Object.entries(ORIGINS).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
    </div>
  );
}

function TaskLine({ task }: { readonly task: TaskRow }): ReactElement {
  const { usage } = task;
  const from = [originLabel(task.origin, task.class), task.role].filter(Boolean).join(" ");
  return (
    <li className="border-b border-line [contain-intrinsic-size:auto_3.75rem] [content-visibility:auto]">
      <Link
        to="/tasks/$task"
        params={{ task: task.task_id }}
        className="grid gap-x-4 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2 list:grid-cols-[9rem_minmax(0,1fr)_auto]"
      >
        <span className="row-span-2 max-list:hidden">
          <StateBadge state={workState(task.state)} />
        </span>
        <span className="truncate">{taskTitle(task)}</span>
        <span className="text-right text-sm text-ink-soft max-list:hidden">
          <RelativeTime at={task.last_updated} />
        </span>
        <span className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft list:col-span-2">
          <span className="list:hidden">
            <StateBadge state={workState(task.state)} />
          </span>
          <span>
            {from}
            {task.class === "federation" && ", a peer's"}
          </span>
          <span>{duration(task.duration_ms)}</span>
          <span>
            {count(task.model_calls)} model, {count(task.tool_calls)} tool
          </span>
          <span>{tokens(usage.input_tokens + usage.output_tokens)} tok</span>
          {task.cost_usd !== null && <span title="An estimate">{dollars(task.cost_usd)}</span>}
          <span className="ml-auto list:hidden">
            <RelativeTime at={task.last_updated} />
          </span>
          {task.status !== null && <span className="truncate text-bad">{task.status}</span>}
        </span>
      </Link>
    </li>
  );
}
