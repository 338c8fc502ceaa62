import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { clockTime, dayName, ErrorState, SkeletonRows } from "../../../ui/index.ts";
import { type CalendarDay, daysOf } from "./calendar-days.ts";

const DAY_MS = 86_400_000;

/** When schedules run, day by day from today on. */
export function ScheduleCalendar({ days }: { readonly days: number }): ReactElement {
  const { operator } = useApi();
  const [from] = useState(() => new Date().toISOString());
  const to = new Date(Date.parse(from) + days * DAY_MS).toISOString();
  const read = useQuery({
    queryKey: ["scheduler", "calendar", from, days],
    queryFn: () => operator.get("/api/scheduler/calendar", { query: { from, to } }),
  });
  if (read.isPending) return <SkeletonRows />;
  if (read.error !== null)
    return <ErrorState title="The calendar cannot be read" error={read.error} onRetry={() => void read.refetch()} />;
  const found = daysOf(read.data.entries);
  if (found.length === 0) return <p className="px-6 py-24 text-center text-ink-soft">Nothing is due in these days.</p>;
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4 p-4">
      {found.map((day) => (
        <DayEntries key={day.at} day={day} />
      ))}
      {read.data.truncated && <p className="text-sm text-ink-soft">There is more than is shown.</p>}
    </div>
  );
}

function DayEntries({ day: { at, entries } }: { readonly day: CalendarDay }): ReactElement {
  const name = dayName(new Date(at), new Date());
  return (
    <section aria-label={name}>
      <h2 className="border-b border-line pb-1 font-display font-semibold">{name}</h2>
      <ul className="flex flex-col">
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.job_id}`}>
            <Link
              to="/work/schedules/$schedule"
              params={{ schedule: entry.job_id }}
              className="flex gap-3 rounded-md px-2 py-1.5 hover:bg-hover"
            >
              <span className="w-20 shrink-0 text-ink-soft tabular-nums">
                {entry.count === 1 ? clockTime(entry.at) : `${entry.count} times`}
              </span>
              <span className="min-w-0 truncate">{entry.job_id}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
