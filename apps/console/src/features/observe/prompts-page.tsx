import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, useState } from "react";
import { useApi } from "../../api/index.ts";
import { ListColumn } from "../../list-column/index.ts";
import {
  Button,
  buttonClass,
  classNames,
  count,
  EmptyState,
  ErrorState,
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
          <EmptyState title="Prompts are not captured">
            With <code>prompts.capture</code> in the settings, the service keeps what each model call was told, for as
            long as the settings say.
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
            <TurnList newest={last.data?.call?.task_id} />
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
            <p className="p-6 text-ink-soft">Choose a turn to read what the model was told, call by call.</p>
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
          label="Task"
          bare
          placeholder="Id of a task"
          value={id}
          onChange={({ target }) => setId(target.value)}
        />
      </div>
      <Button type="submit">Open</Button>
    </form>
  );
}

function TurnList({ newest }: { readonly newest: string | undefined }): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery({
    queryKey: ["telemetry", "recent"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      operator.get("/api/telemetry/recent", {
        query: { limit: 50, ...(pageParam !== undefined && { cursor: pageParam }) },
      }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const turns = list.data?.pages.flatMap((page) => page.turns).filter(({ llm_calls: calls }) => calls > 0) ?? [];
  const found = turns.length > 0 || newest === undefined ? turns : [{ task_id: newest }];
  return (
    <>
      {list.isPending && <SkeletonRows />}
      {list.error !== null && turns.length === 0 && (
        <ErrorState title="The turns cannot be read" error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && found.length === 0 && (
        <EmptyState
          title="No model was asked yet"
          action={
            <Link to="/chat" className={buttonClass({})}>
              Go to the chat
            </Link>
          }
        >
          What the model was told stands here, turn by turn.
        </EmptyState>
      )}
      <ul className="flex flex-col p-2">
        {found.map((turn) => (
          <li key={turn.task_id}>
            <Link
              to="/observe/prompts/$task"
              params={{ task: turn.task_id }}
              className="flex flex-col gap-0.5 rounded-md px-2.5 py-2 hover:bg-hover data-[status=active]:bg-accent-soft"
            >
              {"state" in turn ? (
                <>
                  <span className="flex items-baseline gap-2">
                    <span className="min-w-0 truncate font-medium">{turn.session_id}</span>
                    <span className="ml-auto text-sm text-ink-soft">
                      <RelativeTime at={turn.ended_at} />
                    </span>
                  </span>
                  <span className="flex flex-wrap items-center gap-x-2.5 text-sm text-ink-soft">
                    <StateBadge state={workState(turn.state)} />
                    <span>{turn.llm_calls === 1 ? "1 call" : `${count(turn.llm_calls)} calls`}</span>
                    <span className="min-w-0 truncate">{turn.model}</span>
                  </span>
                </>
              ) : (
                <span className="font-medium">The newest turn</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="flex justify-center pb-4">
          <Button small busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show older ones
          </Button>
        </div>
      )}
    </>
  );
}
