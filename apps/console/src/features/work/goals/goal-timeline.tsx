import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { pagedQuery, useApi } from "../../../api/index.ts";
import type { GoalEvent } from "../../../goal/index.ts";
import { dollars, ListStates, RelativeTime, StateBadge, tokens } from "../../../ui/index.ts";
import { eventBadge } from "./goal-events.ts";

/** What happened to a goal, newest first: turns, verdicts with their evidence, and what they cost. */
export function GoalTimeline({ session }: { readonly session: string }): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["goal", "timeline", session], (page) =>
      operator.get("/api/goals/{session_id}/timeline", {
        params: { session_id: session },
        query: { limit: 50, ...page },
      }),
    ),
  );
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <section aria-label="What happened" className="flex flex-col gap-2">
      <h3 className="font-display text-lg font-semibold">What happened</h3>
      <ListStates
        list={list}
        isEmpty={events.length === 0}
        failed="What happened cannot be read"
        empty={<p className="text-ink-soft">Nothing yet.</p>}
      >
        <ol className="flex flex-col divide-y divide-line">
          {events.map((event) => (
            <EventItem key={event.no} event={event} />
          ))}
        </ol>
      </ListStates>
    </section>
  );
}

function EventItem({ event }: { readonly event: GoalEvent }): ReactElement {
  const { at, iteration, reason, evidence, text, usd, task_id } = event;
  return (
    <li className="flex flex-col gap-1 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
        <StateBadge {...eventBadge(event)} />
        {iteration !== null && <span className="tabular-nums">Iteration {iteration}</span>}
        <RelativeTime at={at} />
        {event.tokens !== null && event.tokens > 0 && (
          <span className="tabular-nums">
            {dollars(usd)}, {tokens(event.tokens)} tokens
          </span>
        )}
        {task_id !== null && (
          <Link to={`/tasks/${task_id}`} className="ml-auto text-accent hover:underline">
            {event.kind === "verdict" || event.kind === "verification_failed" ? "Open check" : "Open run"}
          </Link>
        )}
      </div>
      {reason !== "" && <p className="break-words">{reason}</p>}
      {evidence !== "" && <Folded name="Evidence" text={evidence} />}
      {text !== "" && <Folded name={event.kind === "plan" ? "Plan" : "Details"} text={text} />}
    </li>
  );
}

function Folded({ name, text }: { readonly name: string; readonly text: string }): ReactElement {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-ink-soft">{name}</summary>
      <pre className="mt-1 rounded-md bg-sunken p-3 text-xs break-words whitespace-pre-wrap">{text}</pre>
    </details>
  );
}
