import type { OperatorClient } from "@agent-service/operator-api/client";
import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApi } from "../api/index.ts";
import type { JournalRow, TaskJournal, TimelineSource } from "./journal.ts";
import { isAtWork, type JournalReader, loadTimeline } from "./load-timeline.ts";

/** Maximum rows of one journal in the first read. */
export const FIRST_LINES = 1_000;
const PAGE = 200;
/** Minimum milliseconds between two reads of a running task. */
const AT_MOST_EVERY_MS = 500;

/** A task's timeline as far as it was read, kept up to date while the task runs. `lines`: maximum rows of each journal. */
export function useTaskTimeline(id: string, lines: number = FIRST_LINES): UseQueryResult<TimelineSource> {
  const { operator } = useApi();
  const queries = useQueryClient();
  const result = useQuery({
    queryKey: ["tasks", "timeline", id, lines],
    queryFn: () => loadTimeline(readerOver(operator, queries, lines), id),
    placeholderData: (before) => (before?.task.task_id === id ? before : undefined),
  });
  useProgress(id, result.data !== undefined && isAtWork(result.data));
  return result;
}

/** Steps of a turn change no list, so only its own page reads them. */
function useProgress(id: string, active: boolean): void {
  const { events } = useApi();
  const queries = useQueryClient();
  useEffect(() => {
    if (!active) return;
    let timer: number | undefined;
    const stop = events.listen(({ topic }) => {
      // Of any task: the steps of its subagents carry the subagents' ids.
      if (topic !== "turn.progress" || timer !== undefined) return;
      timer = window.setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: ["tasks", "timeline", id] });
      }, AT_MOST_EVERY_MS);
    });
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, [events, queries, id, active]);
}

function readerOver(operator: OperatorClient, queries: QueryClient, lines: number): JournalReader {
  return (id, over) =>
    over
      ? queries.fetchQuery({
          queryKey: ["ended-journals", id, lines],
          queryFn: () => readJournal(operator, id, lines),
          staleTime: Number.POSITIVE_INFINITY,
        })
      : readJournal(operator, id, lines);
}

async function readJournal(operator: OperatorClient, id: string, lines: number): Promise<TaskJournal> {
  const events: JournalRow[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await operator.get("/api/a2a/tasks/{id}/journal", {
      params: { id },
      query: { order: "oldest", limit: PAGE, ...(cursor !== undefined && { cursor }) },
    });
    events.push(...page.events);
    cursor = page.next_cursor ?? undefined;
    if (cursor === undefined || events.length >= lines)
      return { task: page.task, started: page.children, events, more: cursor !== undefined };
  }
}

/** The current time in epoch milliseconds, updated while `active`. */
export function useNow(active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    setNow(Date.now());
    const timer = window.setInterval(() => setNow(Date.now()), AT_MOST_EVERY_MS);
    return () => window.clearInterval(timer);
  }, [active]);
  return now;
}
