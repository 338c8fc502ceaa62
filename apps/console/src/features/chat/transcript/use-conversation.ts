import { OperatorApiError } from "@agent-service/operator-api/client";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useApi } from "../../../api/index.ts";
import type { WaitingPrompt } from "../../../prompts/index.ts";
import { useChat } from "../chat-context.tsx";
import { type TurnHistory, UNREAD, withNewest, withOlder } from "../live/turn-history.ts";
import { useLiveList } from "../live/use-live-turns.ts";
import { useIsRemoving } from "../sessions/removal.ts";
import { rowsOf, type TurnRow } from "./shown-turns.ts";

/** Number of turns in a page. */
const PAGE = 30;

/** A conversation: what is stored of it, with the turns that are running. */
export interface ReadConversation {
  readonly rows: readonly TurnRow[];
  readonly history: TurnHistory;
  /** The service has this session, possibly without a turn. */
  readonly isKnown: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Reads the page before the oldest turn. `limit`: how many turns; default 30. */
  readonly readOlder: (limit?: number) => void;
  readonly readingOlder: boolean;
  readonly again: () => void;
}

function isUnknown(error: unknown): boolean {
  return error instanceof OperatorApiError && error.status === 404;
}

/**
 * Reads the newest turns of a conversation, older ones on request, and follows its running turn. `fresh`: no message was
 * sent yet, so there is nothing to read. `whole`: the conversation that it is a version of.
 */
export function useConversation(session: string, whole: string, fresh: boolean): ReadConversation {
  const { operator } = useApi();
  const { live } = useChat();
  const [history, setHistory] = useState<TurnHistory>(UNREAD);
  const [readingOlder, setReadingOlder] = useState(false);
  const liveTurns = useLiveList(session);
  const removing = useIsRemoving(whole);
  const accepted = liveTurns.some(({ taskId }) => taskId !== undefined);
  const newest = useQuery({
    queryKey: ["sessions", session, "turns"],
    // The service has no session before it has accepted a message of it.
    enabled: !removing && (accepted || (!fresh && liveTurns.length === 0)),
    queryFn: ({ signal }) =>
      operator
        .get("/api/chat/sessions/{id}/turns", { params: { id: session }, query: { limit: PAGE }, signal })
        .then((page) => ({ ...page, isKnown: true }))
        .catch((error: unknown) => {
          // A conversation without a message has no turns.
          if (isUnknown(error)) return { turns: [], next_cursor: null, isKnown: false };
          throw error;
        }),
  });
  useEffect(() => {
    const page = newest.data;
    if (page === undefined) return;
    setHistory((before) => withNewest(before, page));
    const tasks = page.turns.map(({ task_id }) => task_id);
    live.reconcile(session, new Set(tasks), page.next_cursor === null ? "" : (tasks.at(-1) ?? ""));
    for (const { task_id, state, created_at } of page.turns) {
      if (state === "working") live.join(session, task_id, Date.parse(created_at));
    }
  }, [newest.data, live, session]);
  const { older } = history;
  const readOlder = useCallback(
    (limit = PAGE) => {
      if (typeof older !== "string") return;
      setReadingOlder(true);
      operator
        .get("/api/chat/sessions/{id}/turns", { params: { id: session }, query: { limit, cursor: older } })
        .then((page) => setHistory((before) => (before.older === older ? withOlder(before, page) : before)))
        .catch(() => {
          // Read again when the person scrolls there again.
        })
        .finally(() => setReadingOlder(false));
    },
    [operator, session, older],
  );
  const rows = useMemo(() => rowsOf(history.turns, liveTurns), [history.turns, liveTurns]);
  return {
    rows,
    history,
    isKnown: newest.data?.isKnown === true,
    isPending: newest.isLoading,
    error: newest.error,
    readOlder,
    readingOlder,
    again: () => void newest.refetch(),
  };
}

/** The prompts that wait in a session or in tasks it delegated, by the task of the session's turn they belong to. */
export function useWaitingPrompts(session: string): ReadonlyMap<string, readonly WaitingPrompt[]> {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["approvals", "of-session", session],
    queryFn: () => operator.get("/api/approvals", { query: { session_id: session, limit: 100 } }),
  });
  return useMemo(() => {
    const found = new Map<string, WaitingPrompt[]>();
    // The service lists the newest first; people decide in the order in which the calls were made.
    for (const prompt of data?.approvals.toReversed() ?? []) {
      const turn = [prompt, ...prompt.parents].find(({ session_id }) => session_id === session);
      if (turn !== undefined) found.set(turn.task_id, [...(found.get(turn.task_id) ?? []), prompt]);
    }
    return found;
  }, [data, session]);
}
