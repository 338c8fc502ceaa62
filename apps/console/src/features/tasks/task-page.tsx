import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import { useApi } from "../../api/index.ts";
import { BoardLink } from "../../board-link/index.ts";
import { PromptCard } from "../../prompts/index.ts";
import {
  callsLabel,
  costSoFar,
  fromLabel,
  isOver,
  TaskTimeline,
  type TimelineSource,
  taskTitle,
  useNow,
  useTaskTimeline,
} from "../../timeline/index.ts";
import {
  buttonClass,
  classNames,
  dollars,
  duration,
  ErrorState,
  Page,
  RelativeTime,
  SkeletonRows,
  StateBadge,
  tokens,
  workState,
} from "../../ui/index.ts";
import { CancelTask } from "./cancel-task.tsx";
import { CopyAsCurl } from "./copy-as-curl.tsx";
import { Answered, Asked } from "./exchange.tsx";
import { ExportTask } from "./export-task.tsx";
import { Frames } from "./frames.tsx";
import { ShareTask } from "./share-task.tsx";

/** The page of a task: what was asked and answered, the prompt it waits for, its cost, its timeline. */
export function TaskPage(): ReactElement {
  return <ShownTask />;
}

/** The frames of the task's A2A stream, for developers of clients. */
export function TaskFramesPage(): ReactElement {
  return <ShownTask frames />;
}

function ShownTask({ frames = false }: { readonly frames?: boolean }): ReactElement {
  const { task: id = "" } = useParams({ strict: false });
  const { data: source, error, isPending, refetch } = useTaskTimeline(id);
  if (isPending) {
    return (
      <Page title="Run">
        <SkeletonRows rows={10} />
      </Page>
    );
  }
  if (source === undefined) {
    return (
      <Page title="Run">
        <ErrorState
          title="This run cannot be read"
          error={error}
          onRetry={() => void refetch()}
          back={
            <Link to="/tasks" className={buttonClass({})}>
              Show all runs
            </Link>
          }
        />
      </Page>
    );
  }
  const { task } = source;
  return (
    <Page
      title={taskTitle(task)}
      lead={<StateBadge state={workState(task.state)} />}
      actions={
        <>
          {!isOver(task) && <CancelTask id={id} />}
          <CopyAsCurl source={source} />
          <ShareTask id={id} />
          <ExportTask source={source} />
        </>
      }
    >
      {(task.origin === "board" || task.origin === "chat") && task.class === "operator" && (
        <div className="px-4 pt-3 empty:hidden">
          <BoardLink session={task.session_id} />
        </div>
      )}
      <Asked key={`asked ${id}`} source={source} />
      <Waiting id={id} />
      {task.state !== "input-required" && <Answered key={`answered ${id}`} source={source} />}
      <Figures source={source} />
      <nav aria-label="Views" className="flex gap-1 px-4">
        <View to="/tasks/$task" id={id} label="Timeline" current={!frames} />
        <View to="/tasks/$task/frames" id={id} label="Protocol messages" current={frames} />
      </nav>
      <section aria-label={frames ? "Protocol messages" : "Timeline"} className="px-2 py-3">
        {frames ? (
          <Frames key={id} id={id} />
        ) : (
          <TaskTimeline
            key={id}
            taskId={id}
            linkTo={(to: string, label: ReactNode) => (
              <Link to="/tasks/$task" params={{ task: to }} className="text-accent underline">
                {label}
              </Link>
            )}
          />
        )}
      </section>
    </Page>
  );
}

function View({
  to,
  id,
  label,
  current,
}: {
  readonly to: string;
  readonly id: string;
  readonly label: string;
  readonly current: boolean;
}): ReactElement {
  return (
    <Link
      to={to}
      params={{ task: id }}
      aria-current={current ? "page" : undefined}
      className={classNames(
        "inline-flex min-h-8 items-center rounded-md px-2.5 text-sm hover:bg-hover",
        current && "bg-accent-soft font-medium text-accent",
      )}
    >
      {label}
    </Link>
  );
}

function Figures({ source }: { readonly source: TimelineSource }): ReactElement {
  const { task, jobs = [] } = source;
  const { usage } = task;
  const over = isOver(task);
  const from = fromLabel(task);
  const cached = usage.cache_read_tokens > 0 ? `, ${tokens(usage.cache_read_tokens)} from the cache` : "";
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 px-4 py-3">
      <Figure name="From">
        {from}
        {task.class === "federation" && ", a peer's"}
      </Figure>
      <Figure name="Began">
        <RelativeTime at={task.created_at} />
      </Figure>
      {over ? <Figure name="Took">{duration(task.duration_ms)}</Figure> : <SoFar since={task.created_at} />}
      <Figure name="Calls">{callsLabel(task)}</Figure>
      <Figure name="Tokens">
        {tokens(usage.input_tokens)} → {tokens(usage.output_tokens)}
        {cached}
      </Figure>
      <Figure name="Cost, estimated">{dollars(over ? task.cost_usd : costSoFar(source))}</Figure>
      {task.parent_task_id !== null && (
        <Figure name="Part of">
          <Link to="/tasks/$task" params={{ task: task.parent_task_id }} className="text-accent underline">
            the run that called it
          </Link>
        </Figure>
      )}
      {jobs.length > 0 && (
        <Figure name="Began in the background">
          <span className="flex flex-wrap gap-x-3">
            {jobs.map(({ task_id, state }, index) => (
              <span key={task_id} className="inline-flex items-center gap-1.5">
                <Link to="/tasks/$task" params={{ task: task_id }} className="text-accent underline">
                  Job {index + 1}
                </Link>
                <StateBadge state={workState(state)} />
              </span>
            ))}
          </span>
        </Figure>
      )}
      {task.class === "operator" && task.role === null ? (
        <Figure name="Chat">
          <Link to="/chat/$session" params={{ session: task.session_id }} className="text-accent underline">
            Open chat
          </Link>
        </Figure>
      ) : (
        <Figure name="Session">
          <code>{task.session_id}</code>
        </Figure>
      )}
    </dl>
  );
}

/** How long a task has been running. */
function SoFar({ since }: { readonly since: string }): ReactElement {
  const now = useNow(true);
  return <Figure name="So far">{duration(Math.max(0, now - Date.parse(since)))}</Figure>;
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt className="text-xs text-ink-soft">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

/** The prompts of this task and of the tasks below it. */
function Waiting({ id }: { readonly id: string }): ReactElement | null {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["approvals", "of-task", id],
    queryFn: () => operator.get("/api/approvals", { query: { task_id: id, limit: 100 } }),
  });
  const own = data?.approvals ?? [];
  if (own.length === 0) return null;
  return (
    <section aria-label="Waiting for you" className="flex max-w-3xl flex-col gap-3 px-4 pt-4">
      {own.map((prompt) => (
        <PromptCard key={prompt.id} prompt={prompt} />
      ))}
    </section>
  );
}
