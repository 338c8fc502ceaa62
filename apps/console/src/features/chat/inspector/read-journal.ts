import type { OperatorClient } from "@agent-service/operator-api/client";
import type { TimelineSource } from "../../../timeline/index.ts";

const PAGE = 200;
const MOST_PAGES = 5;

/** A turn's journal for its timeline, oldest first; what it delegated is on the task's own page. */
export async function readJournal(
  operator: Pick<OperatorClient, "get">,
  taskId: string,
  signal: AbortSignal,
): Promise<TimelineSource> {
  const events: TimelineSource["events"][number][] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const page = await operator.get("/api/a2a/tasks/{id}/journal", {
      params: { id: taskId },
      query: { order: "oldest", limit: PAGE, ...(cursor !== undefined && { cursor }) },
      signal,
    });
    events.push(...page.events);
    const more = page.next_cursor !== null;
    if (!more || pages === MOST_PAGES) return { task: page.task, events, more, children: [] };
    cursor = page.next_cursor ?? undefined;
  }
}
