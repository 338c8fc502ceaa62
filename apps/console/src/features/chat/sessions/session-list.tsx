import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { SquarePen } from "lucide-react";
import { type ReactElement, useDeferredValue, useState } from "react";
import { pagedQuery, useApi } from "../../../api/index.ts";
import {
  buttonClass,
  classNames,
  EmptyState,
  ListStates,
  RelativeTime,
  StateBadge,
  TextField,
  workState,
} from "../../../ui/index.ts";

type SessionPage = AnswerOf<Extract<OperatorDefinition, { readonly name: "sessions.list" }>>;
type Session = SessionPage["sessions"][number];

/** The conversations, last changed first, with search. */
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
  const sessions = list.data?.pages.flatMap((page) => page.sessions) ?? [];
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
          isEmpty={sessions.length === 0}
          failed="Conversations cannot be read"
          skeletons={8}
          empty={<NoSessions searched={query !== ""} />}
        >
          <ul className="flex flex-col p-1.5">
            {sessions.map((session) => (
              <SessionRow key={session.session_id} session={session} isOpen={session.session_id === open} />
            ))}
          </ul>
        </ListStates>
      </div>
    </section>
  );
}

function useSessions(search: string) {
  const { operator } = useApi();
  return useInfiniteQuery({
    ...pagedQuery(["sessions", "list", search], (page, signal) =>
      operator.get("/api/chat/sessions", { signal, query: { limit: 40, ...(search !== "" && { search }), ...page } }),
    ),
    placeholderData: (before) => before,
  });
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
    <EmptyState title="No conversations yet">
      Every conversation with the agent appears here: yours, and those of other clients.
    </EmptyState>
  );
}

function SessionRow({ session, isOpen }: { readonly session: Session; readonly isOpen: boolean }): ReactElement {
  const { session_id, title, active, last_state, last_updated, origin } = session;
  const state = workState(last_state);
  const shown = active || state === "failed" || state === "waiting";
  return (
    <li>
      <Link
        to="/chat/$session"
        params={{ session: session_id }}
        aria-current={isOpen ? "page" : undefined}
        className={classNames(
          "flex min-h-11 flex-col justify-center gap-0.5 rounded-md px-2.5 py-1.5 hover:bg-hover",
          isOpen && "bg-accent-soft hover:bg-accent-soft",
        )}
      >
        <span className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{title === "" ? "Untitled" : title}</span>
          {shown && <StateBadge state={state} short />}
        </span>
        <span className="flex gap-2 text-xs text-ink-soft">
          <RelativeTime at={last_updated} />
          {origin !== "chat" && origin !== "a2a" && <span className="truncate">{origin}</span>}
        </span>
      </Link>
    </li>
  );
}
