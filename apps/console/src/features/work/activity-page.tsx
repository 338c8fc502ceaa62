import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { pagedQuery, useApi } from "../../api/index.ts";
import { EmptyState, ListStates, RelativeTime, StateBadge, workState } from "../../ui/index.ts";
import { ExplainedHead, InboxExample } from "./inbox-example.tsx";
import { triggerLabel } from "./trigger-label.ts";
import { WorkPage } from "./work-page.tsx";

/** The turns that the agent started by itself, with their reason and result. */
export function ActivityPage(): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["activity", "list"], (page) => operator.get("/api/activity", { query: { limit: 50, ...page } })),
  );
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <WorkPage>
      <ListStates
        list={list}
        isEmpty={entries.length === 0}
        failed="The activity cannot be read"
        empty={
          <EmptyState drawing="runs" title="The agent has started no turns by itself yet">
            <p className="pb-3">
              Turns that no message in a conversation started are listed here: those that an inbox item, a schedule, a
              watch or a background job started, and how goals ended. This command starts one:
            </p>
            <InboxExample />
          </EmptyState>
        }
      >
        {entries.length > 0 && (
          <div className="mx-auto max-w-3xl px-4 pt-4">
            <ExplainedHead example="How a program starts one">
              Turns that no message in a conversation started: an inbox item, a schedule, a watch or a background job
              did, or a goal ended.
            </ExplainedHead>
          </div>
        )}
        <ol className="mx-auto flex max-w-3xl flex-col divide-y divide-line px-4">
          {entries.map((entry) => (
            <li key={entry.id} className="flex flex-col gap-2 py-4">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
                <span className="font-medium text-ink">{triggerLabel(entry)}</span>
                <RelativeTime at={entry.created_at} />
                <span className="ml-auto flex items-center gap-3">
                  <StateBadge state={workState(entry.state)} />
                  <Link to={`/tasks/${entry.task_id}`} className="text-accent hover:underline">
                    Timeline
                    <span className="sr-only"> of {entry.task_id}</span>
                  </Link>
                </span>
              </p>
              {entry.stimulus !== "" && (
                <p className="line-clamp-3 border-l-2 border-line pl-3 whitespace-pre-wrap text-ink-soft">
                  {entry.stimulus}
                </p>
              )}
              {entry.text !== "" && <p className="line-clamp-6 max-w-prose whitespace-pre-wrap">{entry.text}</p>}
            </li>
          ))}
        </ol>
      </ListStates>
    </WorkPage>
  );
}
