import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { failureOf } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";
import { useSessionRecord } from "../sessions/use-session-record.ts";

/** Where a turn stands among those of its place. */
export interface Version {
  readonly session_id: string;
  readonly task_id: string;
}

/**
 * The session that the address of a conversation shows: the version it names, else the one with the newest turn when the
 * page was opened. What a person reads is not exchanged for a version that comes later.
 */
export function useShownVersion(session: string): string {
  const { version } = useSearch({ strict: false }) as { readonly version?: string };
  const { live } = useChat();
  // Before its first message is accepted the service does not have it.
  const [isNew] = useState(() => live.of(session).some(({ taskId }) => taskId === undefined));
  const [latest, setLatest] = useState<string>();
  const navigate = useNavigate();
  const record = useSessionRecord(session, !isNew && version === undefined && latest === undefined);
  useEffect(() => {
    if (record === undefined) return;
    const { version_of: whole, latest_version = session } = record;
    if (whole === undefined) setLatest((before) => before ?? latest_version);
    else {
      const search = { version: session };
      void navigate({ to: "/chat/$session", params: { session: whole }, search, replace: true });
    }
  }, [record, session, navigate]);
  // Cleared, it has no other version any more.
  const newest = record !== undefined && record.latest_version === undefined ? session : latest;
  return version ?? newest ?? session;
}

/** Returns a function that shows a version of the conversation `whole`. */
export function useShowVersion(whole: string): (session: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (session) => void navigate({ to: "/chat/$session", params: { session: whole }, search: { version: session } }),
    [navigate, whole],
  );
}

/** Asks a turn's message again, or another in its place, and shows what comes of it. */
export function useAskAgain(session: string, whole: string) {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const show = useShowVersion(whole);
  const { mutate, isPending } = useMutation({
    mutationFn: ({ task, text }: { readonly task: string; readonly text?: string }) =>
      operator.post("/api/chat/sessions/{id}/versions", {
        params: { id: session },
        body: { task_id: task, ...(text !== undefined && { text }) },
        idempotencyKey: requestKey(),
      }),
    onSuccess: ({ session_id }) => {
      void queries.invalidateQueries({ queryKey: ["sessions"] });
      show(session_id);
    },
    onError: (error) => notify({ text: failureOf(error).message, tone: "bad" }),
  });
  return { askAgain: mutate, isAsking: isPending };
}
