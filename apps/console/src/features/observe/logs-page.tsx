import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactElement, useMemo, useState } from "react";
import { useApi } from "../../api/index.ts";
import { useSearchValue } from "../../parts/index.ts";
import { Button, CheckField, count, EmptyState, ErrorState, SkeletonRows } from "../../ui/index.ts";
import { LogFilters } from "./log-filters.tsx";
import { beginOf, LEVELS, matchingLines, RANGES } from "./log-lines.ts";
import { LogList } from "./log-list.tsx";
import { ObservePage } from "./observe-page.tsx";

const LINES = 1_000;

/** The newest lines of the service's log. */
export function LogsPage(): ReactElement {
  const { operator } = useApi();
  const [chosen, choose] = useSearchValue("level");
  const [within, chooseRange] = useSearchValue("range");
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
  const range = RANGES.find(({ value }) => value === within) ?? RANGES[0];
  const lines = useMemo(
    () => matchingLines(entries ?? [], { level, search, since: beginOf(range, read.dataUpdatedAt) }),
    [entries, level, search, range, read.dataUpdatedAt],
  );
  return (
    <ObservePage fill>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
          <LogFilters
            level={level}
            range={range.value}
            search={search}
            onLevel={choose}
            onRange={chooseRange}
            onSearch={setSearch}
          />
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
          <EmptyState drawing="records" title="No lines are kept">
            The environment variable <code>LOG_BUFFER_LINES</code> sets how many of them the service keeps in memory.
          </EmptyState>
        )}
        {read.data?.enabled === true && lines.length === 0 && (
          <EmptyState drawing="search" title="No line matches">
            Choose another level or range, or find something else.
          </EmptyState>
        )}
        {lines.length > 0 && <LogList lines={lines} follow={follow} />}
        {read.data?.truncated !== undefined && (
          <p className="border-t border-line px-4 py-1 text-sm text-ink-soft">
            Only the newest {count(LINES)} lines are shown.
          </p>
        )}
      </div>
    </ObservePage>
  );
}
