import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactElement, useMemo, useState } from "react";
import { pagedQuery, useApi, useRuntimeStatus } from "../../../api/index.ts";
import { useCommands } from "../../../commands/index.ts";
import { ListColumn } from "../../../list-column/index.ts";
import { useSearchValue } from "../../../parts/index.ts";
import { Button, Choices, classNames, Dialog, EmptyState, ListStates, StateBadge, startOf } from "../../../ui/index.ts";
import { WorkPage } from "../work-page.tsx";
import { ScheduleCalendar } from "./schedule-calendar.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { jobBadge, whenOf } from "./slot-words.ts";

const VIEWS = [
  { value: "list", label: "List" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
] as const;

/** Scheduled jobs beside the one that is open, or a calendar of them; on a phone they are two pages. */
export function SchedulesPage(): ReactElement {
  const { schedule } = useParams({ strict: false }) as { readonly schedule?: string };
  const [chosen, choose] = useSearchValue("view");
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  const view = VIEWS.find(({ value }) => value === chosen)?.value ?? "list";
  useCommands(
    useMemo(() => [{ id: "schedule-add", label: "New schedule", group: "Work", run: () => setAdding(true) }], []),
  );
  const calendar = view !== "list" && schedule === undefined;
  return (
    <WorkPage
      fill
      actions={
        <Button kind="primary" small onClick={() => setAdding(true)}>
          New schedule
        </Button>
      }
    >
      <div className="flex min-w-0 flex-1 flex-col">
        <SwitchedOff />
        {schedule === undefined && (
          <div className="border-b border-line px-2 py-1.5">
            <Choices
              label="View"
              options={VIEWS}
              value={view}
              onChange={(next) => choose(next === "list" ? undefined : next)}
            />
          </div>
        )}
        <div className="flex min-h-0 min-w-0 flex-1">
          {calendar ? (
            <div className="min-w-0 flex-1 overflow-y-auto">
              <ScheduleCalendar days={view === "week" ? 7 : 31} />
            </div>
          ) : (
            <>
              <ListColumn hidden={schedule !== undefined}>
                <ScheduleList onAdd={() => setAdding(true)} />
              </ListColumn>
              <div
                className={classNames("min-w-0 flex-1 overflow-y-auto", schedule === undefined && "hidden list:block")}
              >
                {schedule === undefined && (
                  <p className="px-6 py-24 text-center text-ink-soft">
                    Choose a schedule to see what became of its times.
                  </p>
                )}
                <Outlet />
              </div>
            </>
          )}
        </div>
      </div>
      <Dialog open={adding} onOpenChange={setAdding} title="New schedule" sheet>
        <ScheduleForm
          onDone={(id) => {
            setAdding(false);
            void navigate({ to: "/work/schedules/$schedule", params: { schedule: id } });
          }}
        />
      </Dialog>
    </WorkPage>
  );
}

function SwitchedOff(): ReactElement | null {
  const status = useRuntimeStatus();
  if (status?.scheduler.enabled !== false) return null;
  return (
    <p role="status" className="border-b border-line bg-sunken px-4 py-2 text-sm">
      Schedules are switched off: nothing runs, and what would have run is recorded as missed. Switch on{" "}
      <span className="font-medium">Scheduler</span> in the settings.
    </p>
  );
}

function ScheduleList({ onAdd }: { readonly onAdd: () => void }): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["scheduler", "list"], (page) =>
      operator.get("/api/scheduler/jobs", { query: { limit: 100, ...page } }),
    ),
  );
  const jobs = list.data?.pages.flatMap((page) => page.jobs) ?? [];
  return (
    <section aria-label="Schedules" className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <ListStates
        list={list}
        isEmpty={jobs.length === 0}
        failed="The schedules cannot be read"
        empty={
          <EmptyState
            drawing="agents"
            title="Nothing is scheduled"
            action={<Button onClick={onAdd}>New schedule</Button>}
          >
            Give the agent something to do at set times: each morning, every hour, or once. Or ask it in the chat:
            “Remind me on Friday at nine.”
          </EmptyState>
        }
      >
        <ul className="flex flex-col p-2">
          {jobs.map((job) => (
            <li key={job.id}>
              <Link
                to="/work/schedules/$schedule"
                params={{ schedule: job.id }}
                className="flex flex-col gap-0.5 rounded-md px-2.5 py-2 hover:bg-hover data-[status=active]:bg-accent-soft"
              >
                <span data-name className="line-clamp-2 font-medium">
                  {job.prompt}
                </span>
                <span className="truncate text-xs text-ink-soft">{whenOf(job)}</span>
                <span className="flex min-h-4.5 items-center gap-2 text-xs text-ink-soft">
                  <span className="min-w-0 truncate">
                    {job.next_fire === null ? "Not due" : `Next ${startOf(job.next_fire, false)}`}
                  </span>
                  <span className="ml-auto inline-flex">
                    <StateBadge {...jobBadge(job)} />
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </ListStates>
    </section>
  );
}
