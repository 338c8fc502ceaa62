import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import {
  Button,
  Dialog,
  ErrorState,
  failureOf,
  InlineError,
  RelativeTime,
  SkeletonRows,
  StateBadge,
  TextField,
  workState,
} from "../../ui/index.ts";
import type { Issue } from "./issue.ts";
import { EditIssueForm } from "./issue-form.tsx";

/** One issue over the board: edit it, close it, delete it. */
export function IssueSheet(): ReactElement {
  const { operator } = useApi();
  const navigate = useNavigate();
  const { issue: id } = useParams({ strict: false }) as { readonly issue: string };
  const leave = (): Promise<void> => navigate({ to: "/work/board" });
  const read = useQuery({
    queryKey: ["board", "one", id],
    queryFn: () => operator.get("/api/tasks/issues/{id}", { params: { id } }),
  });
  return (
    <Dialog open onOpenChange={(open) => void (open || leave())} title={read.data?.issue.title ?? "Item"} sheet>
      {read.isPending && <SkeletonRows />}
      {read.error !== null && (
        <ErrorState
          title="This item cannot be read"
          error={read.error}
          onRetry={() => void read.refetch()}
          back={<Button onClick={() => void leave()}>Show the board</Button>}
        />
      )}
      {read.isSuccess && (
        <div className="flex flex-col gap-6">
          <EditIssueForm key={read.data.issue.updated_at} issue={read.data.issue} onDone={() => void leave()} />
          <IssueRun issue={read.data.issue} />
          <IssueFacts issue={read.data.issue} />
          <IssueEnd issue={read.data.issue} onDone={leave} />
        </div>
      )}
    </Dialog>
  );
}

/** The agent's turn about it. */
function IssueRun({ issue: { run } }: { readonly issue: Issue }): ReactElement | null {
  if (run === null) return null;
  return (
    <section aria-label="The agent's run" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <StateBadge state={workState(run.state)} />
      <Link to={`/tasks/${run.task_id}`} className="text-accent hover:underline">
        Open its run
      </Link>
      <Link to={`/chat/${encodeURIComponent(run.session_id)}`} className="text-accent hover:underline">
        Open its conversation
      </Link>
    </section>
  );
}

function IssueFacts({ issue }: { readonly issue: Issue }): ReactElement {
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
      <span>{issue.id}</span>
      <span>
        Created <RelativeTime at={issue.created_at} />
      </span>
      <span>
        Changed <RelativeTime at={issue.updated_at} />
      </span>
      {issue.closed_at !== null && (
        <span>
          Closed <RelativeTime at={issue.closed_at} />
          {issue.close_reason !== null && issue.close_reason !== "" && `: ${issue.close_reason}`}
        </span>
      )}
      {issue.session_id !== null && (
        <Link to={`/chat/${encodeURIComponent(issue.session_id)}`} className="text-accent hover:underline">
          Open the conversation that it came from
        </Link>
      )}
    </p>
  );
}

/** Closing asks for a reason, which may be left out; deleting asks once more. */
function IssueEnd({ issue, onDone }: { readonly issue: Issue; readonly onDone: () => Promise<void> }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const [reason, setReason] = useState("");
  const [sure, setSure] = useState(false);
  const params = { id: issue.id };
  const done = async (): Promise<void> => {
    await onDone();
    await queries.invalidateQueries({ queryKey: ["board"] });
  };
  const close = useMutation({
    mutationFn: () =>
      operator.post("/api/tasks/issues/{id}/close", { params, body: { reason }, idempotencyKey: requestKey() }),
    onSuccess: done,
  });
  const remove = useMutation({
    // The sheet closes first: the event of the deletion would make it read a deleted issue.
    onMutate: async () => {
      await onDone();
      queries.removeQueries({ queryKey: ["board", "one", issue.id] });
    },
    mutationFn: () => operator.delete("/api/tasks/issues/{id}", { params }),
    onError: (error) => notify({ text: `${issue.id} was not deleted: ${failureOf(error).message}`, tone: "bad" }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["board"] }),
  });
  return (
    <section aria-label="End" className="flex flex-col gap-3 border-t border-line pt-4">
      {issue.status !== "closed" && (
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            close.mutate();
          }}
        >
          <div className="min-w-40 flex-1">
            <TextField
              label="Reason for closing"
              placeholder="Optional"
              maxLength={2_000}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          </div>
          <Button type="submit" busy={close.isPending}>
            Close item
          </Button>
        </form>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {sure ? (
          <>
            <span>Delete it for good?</span>
            <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete item
            </Button>
            <Button onClick={() => setSure(false)}>Keep it</Button>
          </>
        ) : (
          <Button kind="danger" onClick={() => setSure(true)}>
            Delete…
          </Button>
        )}
      </div>
      {close.error !== null && <InlineError error={close.error} />}
    </section>
  );
}
