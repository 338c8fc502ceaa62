import { Link } from "@tanstack/react-router";
import { Fragment, type ReactElement, useEffect, useRef } from "react";
import { clockSeconds, dayName, exactTime, ScrollRegion } from "../../ui/index.ts";
import { fieldsText, type LogLine, taskOf } from "./log-lines.ts";

/** Distance from its end, in pixels, at which a list still counts as scrolled to the end. */
const SLACK_PX = 40;

/** Keeps the list scrolled to its end while it is read there. */
export function LogList({
  lines,
  follow,
}: {
  readonly lines: readonly LogLine[];
  readonly follow: boolean;
}): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    if (follow && atEnd.current && lines.length > 0) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [lines, follow]);
  return (
    <ScrollRegion
      ref={box}
      label="Log lines"
      className="min-h-0 flex-1 overflow-y-auto py-2 font-mono text-sm"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < SLACK_PX;
      }}
    >
      <ol>
        {lines.map((line, index) => (
          <Fragment key={`${line.time} ${index}`}>
            <DayLine at={line.time} before={lines[index - 1]?.time} />
            <Line line={line} />
          </Fragment>
        ))}
      </ol>
    </ScrollRegion>
  );
}

const COLOURS: Readonly<Record<LogLine["level"], string>> = {
  DEBUG: "text-ink-soft",
  INFO: "text-ink-soft",
  WARNING: "font-semibold",
  ERROR: "font-semibold text-bad",
};

/** The day, above its first line; nothing while all lines so far are of today. */
function DayLine({ at, before }: { readonly at: string; readonly before: string | undefined }): ReactElement | null {
  const now = new Date();
  const day = dayName(new Date(at), now);
  const last = before === undefined ? dayName(now, now) : dayName(new Date(before), now);
  return day === last ? null : <li className="px-4 pt-2 pb-1 font-sans text-xs font-medium text-ink-soft">{day}</li>;
}

function Line({ line }: { readonly line: LogLine }): ReactElement {
  const { time, level, message, fields } = line;
  const { task: _task, ...others } = fields;
  const task = taskOf(line);
  const beside = fieldsText(task === undefined ? fields : others);
  return (
    <li className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 px-4 py-0.5 max-list:py-1.5 [contain-intrinsic-block-size:1.5rem] [content-visibility:auto] hover:bg-hover list:grid-cols-[6.5rem_4.5rem_minmax(0,1fr)]">
      <time dateTime={time} title={exactTime(time)} className="whitespace-nowrap text-ink-soft tabular-nums">
        {clockSeconds(time)}
      </time>
      <span className={COLOURS[level]}>{level.toLowerCase()}</span>
      <span className="min-w-0 whitespace-pre-wrap wrap-anywhere max-list:col-span-2">
        {message}{" "}
        {task !== undefined && (
          <Link to={`/tasks/${encodeURIComponent(task)}`} title="Open the run" className="text-accent underline">
            task={task}
          </Link>
        )}{" "}
        {beside !== "" && <span className="text-ink-soft">{beside}</span>}
      </span>
    </li>
  );
}
