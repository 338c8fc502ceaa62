import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { callsLabel, fromLabel, type TaskRow, taskTitle } from "../../timeline/index.ts";
import {
  clockTime,
  dollars,
  duration,
  exactTime,
  RelativeTime,
  StateBadge,
  tokens,
  workState,
} from "../../ui/index.ts";

/** A run in the list: what was asked, where it stands, how long it took among the others, and what it cost. */
export function TaskLine({
  task,
  longestMs,
  isToday,
}: {
  readonly task: TaskRow;
  /** Of the runs on the page: the full width of a bar. */
  readonly longestMs: number;
  readonly isToday: boolean;
}): ReactElement {
  const { usage } = task;
  const from = fromLabel(task);
  return (
    <li className="border-b border-line [contain-intrinsic-size:auto_3.75rem] [content-visibility:auto]">
      <Link
        to="/tasks/$task"
        params={{ task: task.task_id }}
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2 list:grid-cols-[8.5rem_minmax(0,1fr)_minmax(5rem,11rem)_4.5rem_6rem]"
      >
        <span className="self-center list:row-span-2">
          <StateBadge state={workState(task.state)} />
        </span>
        <span className="self-center text-right text-sm text-ink-soft list:order-last list:row-span-2">
          {isToday ? (
            <RelativeTime at={task.last_updated} />
          ) : (
            <time dateTime={task.last_updated} title={exactTime(task.last_updated)}>
              {clockTime(task.last_updated)}
            </time>
          )}
        </span>
        <span data-name className="truncate max-list:col-span-2">
          {taskTitle(task)}
        </span>
        <span className="min-w-0 self-center list:row-span-2">
          <DurationBar ms={task.duration_ms} longestMs={longestMs} />
        </span>
        <span
          className="self-center text-right text-sm tabular-nums list:row-span-2"
          title={task.cost_usd === null ? "Its cost is not known" : "Cost, estimated"}
        >
          {dollars(task.cost_usd)}
        </span>
        <span className="flex min-w-0 flex-wrap gap-x-3 text-sm text-ink-soft max-list:col-span-2 list:col-start-2 list:row-start-2">
          <span>
            {from}
            {task.class === "federation" && ", a peer's"}
          </span>
          <span>{callsLabel(task)}</span>
          <span>{tokens(usage.input_tokens + usage.output_tokens)} tokens</span>
          {task.status !== null && <span className="max-w-full truncate text-bad">{task.status}</span>}
        </span>
      </Link>
    </li>
  );
}

function DurationBar({ ms, longestMs }: { readonly ms: number | null; readonly longestMs: number }): ReactElement {
  const part = ms === null || longestMs === 0 ? 0 : ms / longestMs;
  return (
    <span
      className="flex items-center gap-2 text-sm tabular-nums"
      title={ms === null ? "It has not ended" : "Duration"}
    >
      <span aria-hidden className="h-1.5 min-w-8 flex-1 rounded-full bg-sunken">
        {ms !== null && (
          <span
            data-bar
            className="block h-full min-w-0.5 rounded-full bg-accent"
            style={{ width: `${(part * 100).toFixed(1)}%` }}
          />
        )}
      </span>
      <span className="w-16 shrink-0 text-right text-ink-soft">{duration(ms)}</span>
    </span>
  );
}
