import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { requestKey, useApi } from "../../api/index.ts";
import { Markdown } from "../../markdown/index.ts";
import { useNotices } from "../../notices/index.ts";
import {
  Button,
  buttonClass,
  duration,
  ErrorState,
  failureOf,
  InlineError,
  RelativeTime,
  SkeletonRows,
  StateBadge,
  UNKNOWN,
} from "../../ui/index.ts";
import { jobDuration, jobState } from "./job-state.ts";

/** A background job with its whole result. */
export function JobDetails(): ReactElement {
  const { operator } = useApi();
  const { job: id } = useParams({ strict: false }) as { readonly job: string };
  const read = useQuery({
    queryKey: ["background", "one", id],
    queryFn: () => operator.get("/api/background/{job_id}", { params: { job_id: id } }),
  });
  if (read.isPending) return <SkeletonRows />;
  if (read.error !== null) {
    return (
      <ErrorState
        title="This job cannot be read"
        error={read.error}
        onRetry={() => void read.refetch()}
        back={
          <Link to="/work/jobs" search={true} className={buttonClass({})}>
            Show all jobs
          </Link>
        }
      />
    );
  }
  const job = read.data;
  return (
    <article className="flex max-w-3xl flex-col gap-5 p-4">
      <header className="flex flex-col gap-2">
        <Link to="/work/jobs" search={true} className="inline-flex items-center gap-1 text-accent list:hidden">
          <ArrowLeft aria-hidden className="size-4" /> All jobs
        </Link>
        <h2 className="font-display text-xl font-semibold">{job.description}</h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <StateBadge state={jobState(job)} />
          {job.dismissed && <span className="text-sm text-ink-soft">Cleared from the list</span>}
          <span className="ml-auto">
            <JobActions id={job.id} running={job.status === "running"} />
          </span>
        </div>
      </header>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1.5">
        <Fact name="Subagent">{job.subagent_type}</Fact>
        <Fact name="Created">
          <RelativeTime at={job.created_at} />
        </Fact>
        <Fact name="Took">{duration(jobDuration(job))}</Fact>
        <Fact name="Conversation">
          <Link to={`/chat/${encodeURIComponent(job.origin_session)}`} className="text-accent hover:underline">
            Open chat
          </Link>
        </Fact>
        <Fact name="Run">
          {job.a2a_task_id === null ? (
            UNKNOWN
          ) : (
            <Link to={`/tasks/${job.a2a_task_id}`} className="text-accent hover:underline">
              Open run
            </Link>
          )}
        </Fact>
        <Fact name="Report">{reportOf(job)}</Fact>
      </dl>
      <section aria-label="Result" className="flex flex-col gap-2">
        <h3 className="font-display text-lg font-semibold">{job.status === "failed" ? "Why it failed" : "Result"}</h3>
        {job.result === null ? (
          <p className="text-ink-soft">{job.status === "running" ? "It is not done yet." : "There is none."}</p>
        ) : (
          <div className="max-w-prose">
            <Markdown text={job.result} />
          </div>
        )}
      </section>
    </article>
  );
}

function reportOf(job: { readonly status: string; readonly notified: boolean }): string {
  if (job.status === "running") return "Reported to the conversation when the job ends";
  if (job.status === "canceled") return "Canceled jobs are not reported to the conversation";
  return job.notified ? "The conversation has read it" : "The conversation has not read it yet";
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function JobActions({ id, running }: { readonly id: string; readonly running: boolean }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotices();
  const params = { job_id: id };
  const cancel = useMutation({
    mutationFn: () => operator.post("/api/background/{job_id}/cancel", { params, idempotencyKey: requestKey() }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["background"] }),
  });
  const dismiss = useMutation({
    // The page closes first: the event of the deletion would make it read a deleted job.
    onMutate: async () => {
      await navigate({ to: "/work/jobs", search: true });
      queries.removeQueries({ queryKey: ["background", "one", id] });
    },
    mutationFn: () => operator.delete("/api/background/{job_id}", { params }),
    onError: (error) => notify({ text: `The job was not dismissed: ${failureOf(error).message}`, tone: "bad" }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["background"] }),
  });
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      {cancel.error !== null && <InlineError error={cancel.error} />}
      {running ? (
        <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel job
        </Button>
      ) : (
        <button
          type="button"
          className={buttonClass({ kind: "danger" })}
          disabled={dismiss.isPending}
          title="Removes the job; a report that was not read yet is lost"
          onClick={() => dismiss.mutate()}
        >
          Dismiss
        </button>
      )}
    </span>
  );
}
