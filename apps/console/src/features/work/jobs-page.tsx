import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { pagedQuery, requestKey, useApi } from "../../api/index.ts";
import { ListColumn } from "../../list-column/index.ts";
import { useNotices } from "../../notices/index.ts";
import { useSearchValue } from "../../parts/index.ts";
import {
  Button,
  Choices,
  classNames,
  EmptyState,
  failureOf,
  ListStates,
  RelativeTime,
  StateBadge,
} from "../../ui/index.ts";
import { jobState } from "./job-state.ts";
import { WorkPage } from "./work-page.tsx";

const STATES = [
  { value: "all", label: "All" },
  { value: "running", label: "Running" },
  { value: "completed", label: "Completed" },
  { value: "failed", label: "Failed" },
  { value: "canceled", label: "Canceled" },
] as const;

/** Background jobs beside the one that is open; on a phone they are two pages. */
export function JobsPage(): ReactElement {
  const { job } = useParams({ strict: false }) as { readonly job?: string };
  return (
    <WorkPage actions={<ClearJobs />} fill>
      <div className="flex min-w-0 flex-1">
        <ListColumn hidden={job !== undefined}>
          <JobList />
        </ListColumn>
        <div className={classNames("min-w-0 flex-1 overflow-y-auto", job === undefined && "hidden list:block")}>
          {job === undefined && (
            <p className="px-6 py-24 text-center text-ink-soft">Choose a job to read its result.</p>
          )}
          <Outlet />
        </div>
      </div>
    </WorkPage>
  );
}

function useJobs(status: string) {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["background", "list", status], (page) =>
      operator.get("/api/background", { query: { limit: 50, ...(status !== "all" && { status }), ...page } }),
    ),
  );
}

function JobList(): ReactElement {
  const [chosen, choose] = useSearchValue("status");
  const status = STATES.find(({ value }) => value === chosen)?.value ?? "all";
  const list = useJobs(status);
  const jobs = list.data?.pages.flatMap((page) => page.jobs) ?? [];
  return (
    <section aria-label="Background jobs" className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="border-b border-line px-2 py-1.5">
        <Choices
          label="State"
          options={STATES}
          value={status}
          onChange={(next) => choose(next === "all" ? undefined : next)}
        />
      </div>
      <ListStates
        list={list}
        isEmpty={jobs.length === 0}
        failed="The jobs cannot be read"
        empty={<NoJobs filtered={status !== "all"} onAll={() => choose(undefined)} />}
      >
        <ul className="flex flex-col p-2">
          {jobs.map((job) => (
            <li key={job.id}>
              <Link
                to="/work/jobs/$job"
                params={{ job: job.id }}
                search={true}
                className="flex flex-col gap-0.5 rounded-md px-2.5 py-2 hover:bg-hover data-[status=active]:bg-accent-soft"
              >
                <span data-name className="line-clamp-2 font-medium">
                  {job.description}
                </span>
                <span className="flex min-h-4.5 items-center gap-2 text-xs text-ink-soft">
                  <RelativeTime at={job.created_at} />
                  <span className="min-w-0 truncate">{job.subagent_type}</span>
                  <span className="ml-auto inline-flex">
                    <StateBadge state={jobState(job)} />
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

function NoJobs({ filtered, onAll }: { readonly filtered: boolean; readonly onAll: () => void }): ReactElement {
  if (filtered) {
    return (
      <EmptyState drawing="search" title="No job is in this state" action={<Button onClick={onAll}>Show all</Button>}>
        Jobs of other states may be there.
      </EmptyState>
    );
  }
  return (
    <EmptyState drawing="agents" title="Nothing runs in the background">
      Work that the agent hands to a subagent while the conversation continues is listed here, with its result. Ask it
      in the chat: “Do this in the background.”
    </EmptyState>
  );
}

function ClearJobs(): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const clear = useMutation({
    mutationFn: () => operator.post("/api/background/clear", { idempotencyKey: requestKey() }),
    onSuccess: ({ cleared }) => {
      notify({ text: cleared === 1 ? "1 job was cleared." : `${cleared} jobs were cleared.`, tone: "plain" });
      return queries.invalidateQueries({ queryKey: ["background"] });
    },
    onError: (error) => notify({ text: failureOf(error).message, tone: "bad" }),
  });
  return (
    <Button
      small
      busy={clear.isPending}
      title="Removes the jobs that have ended from the list"
      onClick={() => clear.mutate()}
    >
      Clear ended
    </Button>
  );
}
