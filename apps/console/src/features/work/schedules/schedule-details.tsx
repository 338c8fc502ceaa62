import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { pagedQuery, requestKey, useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import {
  Button,
  buttonClass,
  type Column,
  Dialog,
  duration,
  ErrorState,
  failureOf,
  ListStates,
  SkeletonRows,
  StateBadge,
  startOf,
  Table,
  UNKNOWN,
} from "../../../ui/index.ts";
import { CheckText } from "../checks/check-text.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { jobBadge, runBadge, runReason, type ScheduledJob, type SlotRun, whenOf } from "./slot-words.ts";

/** A schedule with what became of each of its times. */
export function ScheduleDetails(): ReactElement {
  const { operator } = useApi();
  const { schedule: id } = useParams({ strict: false }) as { readonly schedule: string };
  const read = useQuery({
    queryKey: ["scheduler", "one", id],
    queryFn: () => operator.get("/api/scheduler/jobs/{job_id}", { params: { job_id: id } }),
  });
  if (read.isPending) return <SkeletonRows />;
  if (read.error !== null) {
    return (
      <ErrorState
        title="This schedule cannot be read"
        error={read.error}
        onRetry={() => void read.refetch()}
        back={
          <Link to="/work/schedules" className={buttonClass({})}>
            Show all schedules
          </Link>
        }
      />
    );
  }
  const { job } = read.data;
  return (
    <article className="flex max-w-4xl flex-col gap-5 p-4">
      <header className="flex flex-col gap-2">
        <Link to="/work/schedules" className="inline-flex items-center gap-1 text-accent list:hidden">
          <ArrowLeft aria-hidden className="size-4" /> All schedules
        </Link>
        <h2 className="font-display text-xl font-semibold break-words">{whenOf(job)}</h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <StateBadge {...jobBadge(job)} />
          <span className="ml-auto">
            <ScheduleActions job={job} />
          </span>
        </div>
      </header>
      <p className="max-w-prose break-words whitespace-pre-wrap">{job.prompt}</p>
      <Facts job={job} />
      <Ledger id={job.id} />
    </article>
  );
}

function Facts({ job }: { readonly job: ScheduledJob }): ReactElement {
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1.5">
      <Fact name="Next">{job.next_fire === null ? "Not due" : startOf(job.next_fire, false)}</Fact>
      <Fact name="Schedule">
        <code>{job.schedule}</code> in {job.timezone}
      </Fact>
      <Fact name="Created by">{job.created_by === "agent" ? "The agent" : "You"}</Fact>
      <Fact name="Conversation">
        <Link to={`/chat/${encodeURIComponent(job.context_id)}`} className="text-accent hover:underline">
          Open chat
        </Link>
      </Fact>
      <Fact name="A run knows">{job.fresh ? "The answer of the run before" : "The whole conversation"}</Fact>
      {job.only_if !== null && (
        <Fact name="Check">
          <CheckText check={job.only_if} />
        </Fact>
      )}
      {job.failures > 0 && <Fact name="Failed">{job.failures} in a row; five pause it</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

const COLUMNS: readonly Column<SlotRun>[] = [
  { name: "Time", cell: ({ slot, attempt }) => `${startOf(slot, false)}${attempt > 1 ? ` (try ${attempt})` : ""}` },
  { name: "State", cell: (run) => <StateBadge {...runBadge(run)} /> },
  {
    name: "Took",
    numeric: true,
    cell: ({ started_at, ended_at }) =>
      started_at === null || ended_at === null ? UNKNOWN : duration(Date.parse(ended_at) - Date.parse(started_at)),
  },
  { name: "Reason", cell: (run) => runReason(run) ?? "" },
  {
    name: "Run",
    bare: true,
    cell: ({ task_id }) =>
      task_id === null ? (
        ""
      ) : (
        <Link to={`/tasks/${task_id}`} className="text-accent hover:underline">
          Open run
        </Link>
      ),
  },
];

function Ledger({ id }: { readonly id: string }): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["scheduler", "runs", id], (page) =>
      operator.get("/api/scheduler/jobs/{job_id}/runs", { params: { job_id: id }, query: { limit: 50, ...page } }),
    ),
  );
  const runs = list.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <section aria-label="Its times so far" className="flex flex-col gap-2">
      <h3 className="font-display text-lg font-semibold">Its times so far</h3>
      <ListStates
        list={list}
        isEmpty={runs.length === 0}
        failed="Its times cannot be read"
        empty={<p className="text-ink-soft">None has come yet.</p>}
      >
        {runs.length > 0 && (
          <Table label="Its times so far" columns={COLUMNS} rows={runs} keyOf={(run) => `${run.slot} ${run.attempt}`} />
        )}
      </ListStates>
    </section>
  );
}

function ScheduleActions({ job }: { readonly job: ScheduledJob }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotices();
  const [editing, setEditing] = useState(false);
  const [removing, setRemoving] = useState(false);
  const params = { job_id: job.id };
  const after = {
    onError: (error: Error) => notify({ text: failureOf(error).message, tone: "bad" as const }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["scheduler"] }),
  };
  const run = useMutation({
    mutationFn: () => operator.post("/api/scheduler/jobs/{job_id}/run", { params, idempotencyKey: requestKey() }),
    onSuccess: () => notify({ text: "It runs now.", tone: "good" }),
    ...after,
  });
  const turn = useMutation({
    mutationFn: () => operator.put("/api/scheduler/jobs/{job_id}", { params, body: { enabled: !job.enabled } }),
    ...after,
  });
  const remove = useMutation({
    // The page closes first: the event of the deletion would make it read a deleted schedule.
    onMutate: async () => {
      await navigate({ to: "/work/schedules" });
      queries.removeQueries({ queryKey: ["scheduler", "one", job.id] });
    },
    mutationFn: () => operator.delete("/api/scheduler/jobs/{job_id}", { params }),
    ...after,
  });
  const isOver = !job.enabled && job.kind === "once" && job.last_run !== null;
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      <Button busy={run.isPending} onClick={() => run.mutate()}>
        Run now
      </Button>
      {!isOver && (
        <Button busy={turn.isPending} onClick={() => turn.mutate()}>
          {job.enabled ? "Pause" : "Switch on"}
        </Button>
      )}
      <Button onClick={() => setEditing(true)}>Edit</Button>
      <Button kind="danger" onClick={() => setRemoving(true)}>
        Delete
      </Button>
      <Dialog open={editing} onOpenChange={setEditing} title="Edit schedule" sheet>
        <ScheduleForm key={job.updated_at} job={job} onDone={() => setEditing(false)} />
      </Dialog>
      <Dialog open={removing} onOpenChange={setRemoving} title="Delete this schedule?">
        <div className="flex flex-col gap-4">
          <p>It does not run any more. A run that has begun goes on, and its conversation stays.</p>
          <div>
            <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete schedule
            </Button>
          </div>
        </div>
      </Dialog>
    </span>
  );
}
