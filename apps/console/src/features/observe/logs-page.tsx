import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { useApi } from "../../api/index.ts";
import { useSearchValue } from "../../parts/index.ts";
import {
  Button,
  CheckField,
  classNames,
  clockSeconds,
  EmptyState,
  ErrorState,
  exactTime,
  ScrollRegion,
  SelectField,
  SkeletonRows,
  TextField,
} from "../../ui/index.ts";
import { fieldsText, LEVELS, type LogLine, matchingLines } from "./log-lines.ts";
import { ObservePage } from "./observe-page.tsx";

const LINES = 1_000;
/** Distance from its end, in pixels, at which a list still counts as scrolled to the end. */
const SLACK_PX = 40;

/** The newest lines of the service's log. */
export function LogsPage(): ReactElement {
  const { operator } = useApi();
  const [chosen, choose] = useSearchValue("level");
  const [follow, setFollow] = useState(true);
  const [search, setSearch] = useState("");
  const level = LEVELS.find(({ value }) => value === chosen)?.value ?? "INFO";
  const read = useQuery({
    // No event makes this key stale, so the lines stay as they are.
    queryKey: [follow ? "logs" : "still-logs"],
    queryFn: () => operator.get("/api/diagnostics/logs", { query: { lines: LINES } }),
    placeholderData: keepPreviousData,
  });
  const entries = read.data?.entries;
  const lines = useMemo(() => matchingLines(entries ?? [], level, search), [entries, level, search]);
  return (
    <ObservePage fill>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
          <div className="min-w-44 flex-1 list:max-w-48">
            <SelectField bare label="Level" value={level} onChange={({ target }) => choose(target.value)}>
              {LEVELS.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
          </div>
          <div className="min-w-32 flex-1 list:max-w-72">
            <TextField
              bare
              label="Find in the log"
              type="search"
              placeholder="Find"
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
          </div>
          <CheckField
            label="Follow"
            className="min-h-9 gap-1.5 text-sm"
            checked={follow}
            onChange={({ target }) => setFollow(target.checked)}
          />
          {!follow && (
            <Button small busy={read.isFetching} onClick={() => void read.refetch()}>
              Read again
            </Button>
          )}
        </div>
        {read.isPending && <SkeletonRows />}
        {read.error !== null && entries === undefined && (
          <ErrorState title="The log cannot be read" error={read.error} onRetry={() => void read.refetch()} />
        )}
        {read.data?.enabled === false && (
          <EmptyState title="No lines are kept">
            The environment variable <code>LOG_BUFFER_LINES</code> sets how many of them the service keeps in memory.
          </EmptyState>
        )}
        {read.data?.enabled === true && lines.length === 0 && (
          <EmptyState title="No line matches">Choose another level, or find something else.</EmptyState>
        )}
        {lines.length > 0 && <Lines lines={lines} follow={follow} />}
      </div>
    </ObservePage>
  );
}

/** Keeps the list scrolled to its end while it is read there. */
function Lines({ lines, follow }: { readonly lines: readonly LogLine[]; readonly follow: boolean }): ReactElement {
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
          <Line key={`${line.time} ${index}`} line={line} />
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

function Line({ line: { time, level, message, fields } }: { readonly line: LogLine }): ReactElement {
  const beside = fieldsText(fields);
  return (
    <li className="flex flex-wrap gap-x-3 px-4 py-0.5 [contain-intrinsic-block-size:1.5rem] [content-visibility:auto] hover:bg-hover list:flex-nowrap">
      <time dateTime={time} title={exactTime(time)} className="shrink-0 text-ink-soft tabular-nums">
        {clockSeconds(time)}
      </time>
      <span className={classNames("w-16 shrink-0", COLOURS[level])}>{level.toLowerCase()}</span>
      <span className="min-w-0 whitespace-pre-wrap max-list:basis-full">
        {message} {beside !== "" && <span className="text-ink-soft">{beside}</span>}
      </span>
    </li>
  );
}
