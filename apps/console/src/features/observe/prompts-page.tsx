import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, useState } from "react";
import { pagedQuery, useApi } from "../../api/index.ts";
import { ListColumn } from "../../list-column/index.ts";
import { taskTitle, uniqueTasks } from "../../timeline/index.ts";
import {
  Button,
  buttonClass,
  classNames,
  count,
  EmptyState,
  ListStates,
  RelativeTime,
  SkeletonRows,
  StateBadge,
  TextField,
  workState,
} from "../../ui/index.ts";
import { ObservePage } from "./observe-page.tsx";

/** The turns whose prompts can be read, beside the one that is open; on a phone they are two pages. */
export function PromptsPage(): ReactElement {
  const { operator } = useApi();
  const { task } = useParams({ strict: false }) as { readonly task?: string };
  const last = useQuery({ queryKey: ["prompts", "last"], queryFn: () => operator.get("/api/prompts/last") });
  if (last.isPending || last.data?.enabled === false) {
    return (
      <ObservePage>
        {last.isPending ? (
          <SkeletonRows />
        ) : (
          <EmptyState drawing="records" title="Prompts are not captured">
            With <code>prompts.capture</code> in the settings, the service keeps what each model call was sent, for as
            long as the settings define.
          </EmptyState>
        )}
      </ObservePage>
    );
  }
  const kept = last.data?.retention;
  return (
    <ObservePage fill>
      <div className="flex min-w-0 flex-1">
        <ListColumn hidden={task !== undefined}>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
            <FindTask />
            <TurnList />
            {kept !== undefined && (
              <p className="mt-auto border-t border-line px-4 py-2 text-sm text-ink-soft">
                {count(kept.calls)} calls are kept
                {kept.effective_days !== null && `, for ${count(Math.floor(kept.effective_days))} days`}.
              </p>
            )}
          </div>
        </ListColumn>
        <div className={classNames("min-w-0 flex-1 overflow-y-auto", task === undefined && "hidden list:block")}>
          {task === undefined && (
            <p className="px-6 py-24 text-center text-ink-soft">
              Choose a turn to read what the model was sent, call by call.
            </p>
          )}
          <Outlet />
        </div>
      </div>
    </ObservePage>
  );
}

function FindTask(): ReactElement {
  const navigate = useNavigate();
  const [id, setId] = useState("");
  return (
    <form
      className="flex items-end gap-2 border-b border-line p-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (id.trim() !== "") void navigate({ to: "/observe/prompts/$task", params: { task: id.trim() } });
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          label="Run"
          bare
          placeholder="Id of a run"
          value={id}
          onChange={({ target }) => setId(target.value)}
        />
      </div>
      <Button type="submit">Open</Button>
    </form>
  );
}

function TurnList(): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["tasks", "turns"], (page) => operator.get("/api/a2a/tasks", { query: { limit: 50, ...page } })),
  );
  // The prompts of a subagent are shown in the turn that called it.
  const turns = uniqueTasks(list.data?.pages.flatMap(({ tasks }) => tasks) ?? []).filter(
    ({ model_calls: calls, origin }) => calls > 0 && origin !== "subagent",
  );
  return (
    <ListStates
      list={list}
      isEmpty={turns.length === 0}
      failed="The turns cannot be read"
      empty={
        <EmptyState
          drawing="records"
          title="No model was asked yet"
          action={
            <Link to="/chat" className={buttonClass({})}>
              Go to the chat
            </Link>
          }
        >
          What the model was sent is listed here, turn by turn.
        </EmptyState>
      }
    >
      <ul className="flex flex-col p-2">
        {turns.map((turn) => (
          <li key={turn.task_id}>
            <Link
              to="/observe/prompts/$task"
              params={{ task: turn.task_id }}
              className="flex flex-col gap-0.5 rounded-md px-2.5 py-2 hover:bg-hover data-[status=active]:bg-accent-soft"
            >
              <span data-name className="truncate font-medium">
                {taskTitle(turn)}
              </span>
              <span className="flex min-h-4.5 items-center gap-2 text-xs text-ink-soft">
                <RelativeTime at={turn.last_updated} />
                <span>{turn.model_calls === 1 ? "1 call" : `${count(turn.model_calls)} calls`}</span>
                <span className="ml-auto inline-flex">
                  <StateBadge state={workState(turn.state)} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </ListStates>
  );
}
