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
  count,
  Dialog,
  ErrorState,
  failureOf,
  ListStates,
  SkeletonRows,
  StateBadge,
  startOf,
  Table,
} from "../../../ui/index.ts";
import { CheckText } from "../checks/check-text.tsx";
import { FireStrip } from "./fire-strip.tsx";
import { fireBadge, firesWhen, type Watch, type WatchFire, watchBadge } from "./watch-words.ts";

/** Milliseconds between two reads: a check that finds nothing new is no event. */
const AGAIN_MS = 30_000;

/** A watch with what its last check found, and when it fired. */
export function WatchDetails(): ReactElement {
  const { operator } = useApi();
  const { watch: id } = useParams({ strict: false }) as { readonly watch: string };
  const read = useQuery({
    queryKey: ["watch", "one", id],
    queryFn: () => operator.get("/api/watches/{watch_id}", { params: { watch_id: id } }),
    refetchInterval: AGAIN_MS,
  });
  if (read.isPending) return <SkeletonRows />;
  if (read.error !== null) {
    return (
      <ErrorState
        title="This watch cannot be read"
        error={read.error}
        onRetry={() => void read.refetch()}
        back={
          <Link to="/work/watches" className={buttonClass({})}>
            Show all watches
          </Link>
        }
      />
    );
  }
  const { watch } = read.data;
  return (
    <article className="flex max-w-4xl flex-col gap-5 p-4">
      <header className="flex flex-col gap-2">
        <Link to="/work/watches" className="inline-flex items-center gap-1 text-accent list:hidden">
          <ArrowLeft aria-hidden className="size-4" /> All watches
        </Link>
        <h2 className="font-display text-xl font-semibold break-words">{watch.condition}</h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <StateBadge {...watchBadge(watch)} />
          <span className="ml-auto">
            <WatchActions watch={watch} />
          </span>
        </div>
      </header>
      <Found watch={watch} />
      <Facts watch={watch} />
      <Fires id={watch.id} />
    </article>
  );
}

function Found({ watch: { last_checked, last_reason, last_evidence } }: { readonly watch: Watch }): ReactElement {
  return (
    <section aria-label="Last check" className="flex flex-col gap-2 rounded-md bg-sunken p-3">
      <h3 className="font-medium">
        {last_checked === null ? "Not checked yet" : `Checked ${startOf(last_checked, false)}`}
      </h3>
      {last_reason !== "" && <p className="break-words">{last_reason}</p>}
      {last_evidence !== "" && (
        <pre className="max-h-64 overflow-auto text-xs break-words whitespace-pre-wrap text-ink-soft">
          {last_evidence}
        </pre>
      )}
    </section>
  );
}

function Facts({ watch }: { readonly watch: Watch }): ReactElement {
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1.5">
      <Fact name="Fires">{firesWhen(watch)}</Fact>
      <Fact name="Then">{watch.run_prompt ?? "A message comes; no model is called"}</Fact>
      <Fact name="Next check">
        {watch.next_check_at === null ? "None" : startOf(watch.next_check_at, false)}
        {watch.deadline !== null && `, until ${startOf(watch.deadline, false)}`}
      </Fact>
      <Fact name="So far">
        {count(watch.check_count)} {watch.check_count === 1 ? "check" : "checks"}, {count(watch.fire_count)}{" "}
        {watch.fire_count === 1 ? "fire" : "fires"}
        {watch.pending > 0 && `, ${count(watch.pending)} wait for the reaction that runs`}
        {watch.suppressed > 0 && `, ${count(watch.suppressed)} without a reaction: twelve an hour have one`}
      </Fact>
      {watch.errors > 0 && <Fact name="Failed">{count(watch.errors)} checks in a row came to no verdict</Fact>}
      <Fact name="Check">
        <CheckText check={watch.verifier} />
      </Fact>
      <Fact name="Created by">{watch.created_by === "agent" ? "The agent" : "You"}</Fact>
      <Fact name="Conversation">
        <Link to={`/chat/${encodeURIComponent(watch.run_session)}`} className="text-accent hover:underline">
          Open chat
        </Link>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

const COLUMNS: readonly Column<WatchFire>[] = [
  { name: "Time", cell: ({ at }) => startOf(at, false) },
  { name: "What", cell: (fire) => <StateBadge {...fireBadge(fire)} /> },
  { name: "Reason", cell: ({ reason }) => reason },
  {
    name: "Reaction",
    bare: true,
    cell: ({ task_id }) =>
      task_id === null ? (
        ""
      ) : (
        <Link to={`/tasks/${task_id}`} className="text-accent hover:underline">
          Open reaction
        </Link>
      ),
  },
];

function Fires({ id }: { readonly id: string }): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["watch", "fires", id], (page) =>
      operator.get("/api/watches/{watch_id}/fires", { params: { watch_id: id }, query: { limit: 50, ...page } }),
    ),
  );
  const fires = list.data?.pages.flatMap((page) => page.fires) ?? [];
  return (
    <section aria-label="When it fired" className="flex flex-col gap-2">
      <h3 className="font-display text-lg font-semibold">When it fired</h3>
      <ListStates
        list={list}
        isEmpty={fires.length === 0}
        failed="Its fires cannot be read"
        empty={<p className="text-ink-soft">It has not fired yet.</p>}
      >
        {fires.length > 0 && (
          <>
            <FireStrip fires={fires} />
            <Table label="When it fired" columns={COLUMNS} rows={fires} keyOf={({ no }) => String(no)} />
          </>
        )}
      </ListStates>
    </section>
  );
}

function WatchActions({ watch }: { readonly watch: Watch }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotices();
  const [removing, setRemoving] = useState(false);
  const params = { watch_id: watch.id };
  const after = {
    onError: (error: Error) => notify({ text: failureOf(error).message, tone: "bad" as const }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["watch"] }),
  };
  const check = useMutation({
    mutationFn: () => operator.post("/api/watches/{watch_id}/check", { params, idempotencyKey: requestKey() }),
    ...after,
  });
  const remove = useMutation({
    // The page closes first: the event of the removal would make it read a watch that is gone.
    onMutate: async () => {
      await navigate({ to: "/work/watches" });
      queries.removeQueries({ queryKey: ["watch", "one", watch.id] });
    },
    mutationFn: () => operator.delete("/api/watches/{watch_id}", { params }),
    ...after,
  });
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      {watch.status === "active" && (
        <Button busy={check.isPending} onClick={() => check.mutate()}>
          Check now
        </Button>
      )}
      <Button kind="danger" onClick={() => setRemoving(true)}>
        Remove
      </Button>
      <Dialog open={removing} onOpenChange={setRemoving} title="Remove this watch?">
        <div className="flex flex-col gap-4">
          <p>It is not checked any more, and when it fired is removed. A turn that it started goes on.</p>
          <div>
            <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              Remove watch
            </Button>
          </div>
        </div>
      </Dialog>
    </span>
  );
}
