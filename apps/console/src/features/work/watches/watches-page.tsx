import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactElement, useMemo, useState } from "react";
import { pagedQuery, useApi } from "../../../api/index.ts";
import { useCommands } from "../../../commands/index.ts";
import { ListColumn } from "../../../list-column/index.ts";
import { Button, classNames, Dialog, EmptyState, ListStates, StateBadge, startOf } from "../../../ui/index.ts";
import { WorkPage } from "../work-page.tsx";
import { WatchForm } from "./watch-form.tsx";
import { type Watch, watchBadge } from "./watch-words.ts";

/** Watches beside the one that is open; on a phone they are two pages. */
export function WatchesPage(): ReactElement {
  const { watch } = useParams({ strict: false }) as { readonly watch?: string };
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  useCommands(useMemo(() => [{ id: "watch-add", label: "New watch", group: "Work", run: () => setAdding(true) }], []));
  return (
    <WorkPage
      fill
      actions={
        <Button kind="primary" small onClick={() => setAdding(true)}>
          New watch
        </Button>
      }
    >
      <ListColumn hidden={watch !== undefined}>
        <WatchList onAdd={() => setAdding(true)} />
      </ListColumn>
      <div className={classNames("min-w-0 flex-1 overflow-y-auto", watch === undefined && "hidden list:block")}>
        {watch === undefined && (
          <p className="px-6 py-24 text-center text-ink-soft">Choose a watch to see what its checks found.</p>
        )}
        <Outlet />
      </div>
      <Dialog open={adding} onOpenChange={setAdding} title="New watch" sheet>
        <WatchForm
          onDone={(id) => {
            setAdding(false);
            void navigate({ to: "/work/watches/$watch", params: { watch: id } });
          }}
        />
      </Dialog>
    </WorkPage>
  );
}

function WatchList({ onAdd }: { readonly onAdd: () => void }): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["watch", "list"], (page) => operator.get("/api/watches", { query: { limit: 100, ...page } })),
  );
  const watches = list.data?.pages.flatMap((page) => page.watches) ?? [];
  const isOff = list.data?.pages[0]?.poller === false;
  return (
    <section aria-label="Watches" className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      {isOff && (
        <p role="status" className="border-b border-line bg-sunken px-4 py-2 text-sm">
          Watches are switched off: nothing is checked. Switch on <span className="font-medium">Check watches</span> in
          the settings.
        </p>
      )}
      <ListStates
        list={list}
        isEmpty={watches.length === 0}
        failed="The watches cannot be read"
        empty={
          <EmptyState drawing="agents" title="Nothing is watched" action={<Button onClick={onAdd}>New watch</Button>}>
            Have a page, a file or a build checked again and again without a model, and hear of it once it changes or is
            as you want it. Or ask in the chat: “Tell me when the release is out.”
          </EmptyState>
        }
      >
        <ul className="flex flex-col p-2">
          {watches.map((watch) => (
            <WatchItem key={watch.id} watch={watch} />
          ))}
        </ul>
      </ListStates>
    </section>
  );
}

function WatchItem({ watch }: { readonly watch: Watch }): ReactElement {
  const next = watch.next_check_at === null ? "Not checked any more" : `Next ${startOf(watch.next_check_at, false)}`;
  return (
    <li>
      <Link
        to="/work/watches/$watch"
        params={{ watch: watch.id }}
        className="flex flex-col gap-0.5 rounded-md px-2.5 py-2 hover:bg-hover data-[status=active]:bg-accent-soft"
      >
        <span data-name className="line-clamp-2 font-medium">
          {watch.condition}
        </span>
        {watch.last_reason !== "" && <span className="truncate text-xs text-ink-soft">{watch.last_reason}</span>}
        <span className="flex min-h-4.5 items-center gap-2 text-xs text-ink-soft">
          <span className="min-w-0 truncate">{next}</span>
          <span className="ml-auto inline-flex">
            <StateBadge {...watchBadge(watch)} />
          </span>
        </span>
      </Link>
    </li>
  );
}
