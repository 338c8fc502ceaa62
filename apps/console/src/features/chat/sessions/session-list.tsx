import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { SquarePen } from "lucide-react";
import { type ReactElement, useDeferredValue, useId, useState } from "react";
import { pagedQuery, useApi } from "../../../api/index.ts";
import { buttonClass, EmptyState, ListStates, TextField } from "../../../ui/index.ts";
import { dayGroups } from "./day-groups.ts";
import { type ListedSession, SessionRow } from "./session-row.tsx";

/** The conversations: those that are pinned, then the others by day, with search. */
export function SessionList({
  open,
  heading: Heading,
}: {
  readonly open: string | undefined;
  /** `h1` where the list is the page. */
  readonly heading: "h1" | "h2";
}): ReactElement {
  const [search, setSearch] = useState("");
  const query = useDeferredValue(search.trim());
  const list = useSessions(query);
  const pinned = usePinned(query === "");
  const sessions = list.data?.pages.flatMap((page) => page.sessions) ?? [];
  const groups = [
    ...(query === "" && pinned.length > 0 ? [{ label: "Pinned", items: pinned }] : []),
    ...(query === "" ? dayGroups(sessions, new Date()) : [{ label: "Found", items: sessions }]),
  ];
  return (
    <section aria-label="Conversations" className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-12 items-center gap-2 border-b border-line px-3 py-1.5">
        <Heading className="sr-only">Conversations</Heading>
        <div className="flex-1">
          <TextField
            label="Search conversations"
            bare
            type="search"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <NewChatLink />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto" aria-busy={list.isFetching}>
        <ListStates
          list={list}
          isEmpty={groups.every(({ items }) => items.length === 0)}
          failed="Conversations cannot be read"
          skeletons={8}
          empty={<NoSessions searched={query !== ""} />}
        >
          <div className="flex flex-col gap-3 p-1.5">
            {groups.map(({ label, items }) => (
              <Group key={label} heading={Heading === "h1" ? "h2" : "h3"} label={label} sessions={items} open={open} />
            ))}
          </div>
        </ListStates>
      </div>
    </section>
  );
}

function useSessions(search: string) {
  const { operator } = useApi();
  return useInfiniteQuery({
    ...pagedQuery(["sessions", "list", search], (page, signal) =>
      operator.get("/api/chat/sessions", {
        signal,
        query: { limit: 40, ...(search === "" ? { pinned: "false" as const } : { search }), ...page },
      }),
    ),
    placeholderData: (before) => before,
  });
}

function usePinned(enabled: boolean): readonly ListedSession[] {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["sessions", "list", "pinned"],
    enabled,
    queryFn: ({ signal }) => operator.get("/api/chat/sessions", { signal, query: { pinned: "true" } }),
  });
  return data?.sessions ?? [];
}

function Group({
  heading: Heading,
  label,
  sessions,
  open,
}: {
  readonly heading: "h2" | "h3";
  readonly label: string;
  readonly sessions: readonly ListedSession[];
  readonly open: string | undefined;
}): ReactElement {
  const id = useId();
  return (
    <div>
      <Heading id={id} className="px-2.5 pt-1 pb-1 text-xs font-medium text-ink-soft">
        {label}
      </Heading>
      <ul aria-labelledby={id} className="flex flex-col">
        {sessions.map((session) => (
          <SessionRow key={session.session_id} session={session} isOpen={session.session_id === open} />
        ))}
      </ul>
    </div>
  );
}

function NewChatLink(): ReactElement {
  return (
    <Link to="/chat/new" className={buttonClass({ kind: "quiet", icon: true })} aria-label="New chat" title="New chat">
      <SquarePen aria-hidden className="size-5" />
    </Link>
  );
}

function NoSessions({ searched }: { readonly searched: boolean }): ReactElement {
  if (searched) {
    return <p className="px-4 py-8 text-ink-soft">No conversation matches the search.</p>;
  }
  return (
    <EmptyState drawing="conversation" title="No conversations yet">
      Every conversation with the agent appears here: yours, and those of other clients.
    </EmptyState>
  );
}
