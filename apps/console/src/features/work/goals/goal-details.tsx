import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, TriangleAlert } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { useApi } from "../../../api/index.ts";
import { type Goal, goalBadge, progressOf, standing, tamperedFile } from "../../../goal/index.ts";
import { Markdown } from "../../../markdown/index.ts";
import {
  buttonClass,
  dollars,
  EmptyState,
  ErrorState,
  SkeletonRows,
  StateBadge,
  startOf,
  tokens,
} from "../../../ui/index.ts";
import { CheckText } from "../checks/check-text.tsx";
import { GoalActions } from "./goal-actions.tsx";
import { GoalTimeline } from "./goal-timeline.tsx";

const BACK = (
  <Link to="/work/goals" className={buttonClass({})}>
    Show all goals
  </Link>
);

/** A goal: what it asks, how it stands, what the agent plans, and what happened. */
export function GoalDetails(): ReactElement {
  const { operator } = useApi();
  const { goal: session } = useParams({ strict: false }) as { readonly goal: string };
  const read = useQuery({
    queryKey: ["goal", "one", session],
    queryFn: () => operator.get("/api/goals/{session_id}", { params: { session_id: session } }),
  });
  if (read.isPending) return <SkeletonRows />;
  if (read.error !== null) {
    return (
      <ErrorState title="This goal cannot be read" error={read.error} onRetry={() => void read.refetch()} back={BACK} />
    );
  }
  const { goal, enabled, plan } = read.data;
  if (goal === null) {
    return (
      <EmptyState title="This chat has no goal" action={BACK}>
        It was cleared, or never set.
      </EmptyState>
    );
  }
  return (
    <article className="flex max-w-4xl flex-col gap-5 p-4">
      <header className="flex flex-col gap-2">
        <Link to="/work/goals" className="inline-flex items-center gap-1 text-accent list:hidden">
          <ArrowLeft aria-hidden className="size-4" /> All goals
        </Link>
        <h2 className="font-display text-xl font-semibold break-words whitespace-pre-wrap">{goal.condition}</h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <StateBadge {...goalBadge(goal)} />
          <span className="text-sm text-ink-soft tabular-nums">{progressOf(goal)} iterations</span>
          <span className="ml-auto">
            <GoalActions goal={goal} enabled={enabled} />
          </span>
        </div>
      </header>
      <Standing goal={goal} enabled={enabled} />
      <Contract goal={goal} />
      {plan !== "" && (
        <section aria-label="The agent's plan" className="flex flex-col gap-2">
          <h3 className="font-display text-lg font-semibold">The agent's plan</h3>
          <div className="max-w-prose">
            <Markdown text={plan} />
          </div>
        </section>
      )}
      <GoalTimeline session={goal.session_id} />
    </article>
  );
}

/** What happens now, or why nothing does, with what the last check found. */
function Standing({ goal, enabled }: { readonly goal: Goal; readonly enabled: boolean }): ReactElement {
  const { last_reason, last_evidence, status, drive_task_id, verify_task_id } = goal;
  const open = verify_task_id ?? drive_task_id;
  const file = tamperedFile(last_reason);
  return (
    <section aria-label="How it stands" className="flex flex-col gap-2 rounded-md bg-sunken p-3">
      {!enabled && status === "active" && (
        <p>
          Goals are switched off: it is not worked on. Switch on <span className="font-medium">Goals</span> in the
          settings.
        </p>
      )}
      <p className="break-words">
        {standing(goal)}{" "}
        {open !== null && (
          <Link to={`/tasks/${open}`} className="text-accent hover:underline">
            Open run
          </Link>
        )}
      </p>
      {file !== undefined && (
        <p role="alert" className="flex items-start gap-2 text-bad">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">
            Tampered: <code className="break-all">{file}</code> is pinned and is not what it was when the goal was set.
            It cannot be met before the file is as it was.
          </span>
        </p>
      )}
      {file === undefined && last_reason !== "" && <p className="break-words">Last check: {last_reason}</p>}
      {last_evidence !== "" && (
        <pre className="max-h-64 overflow-auto text-xs break-words whitespace-pre-wrap text-ink-soft">
          {last_evidence}
        </pre>
      )}
    </section>
  );
}

function Contract({ goal }: { readonly goal: Goal }): ReactElement {
  const { outcome, constraints, boundaries, stop_when, spent, finished_at, no_progress_streak: streak } = goal;
  return (
    <section aria-label="What it asks" className="flex flex-col gap-2">
      <h3 className="font-display text-lg font-semibold">What it asks</h3>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1.5">
        <Fact name="Check">
          <CheckText check={goal.verifier} />
        </Fact>
        {goal.project !== null && <Fact name="Project">{goal.project}</Fact>}
        {outcome !== "" && <Fact name="Outcome">{outcome}</Fact>}
        {constraints.length > 0 && <Fact name="Keeps to">{listOf(constraints)}</Fact>}
        {boundaries.length > 0 && <Fact name="Leaves alone">{listOf(boundaries)}</Fact>}
        {stop_when !== "" && <Fact name="Gives up when">{stop_when}</Fact>}
        <Fact name="Limits">
          {goal.max_iterations} iterations; {goal.no_progress_limit} equal verdicts in a row
          {streak > 1 && `, so far ${streak}`}
        </Fact>
        <Fact name="A turn knows">
          {goal.fresh_context ? "The answer of the turn before" : "The whole conversation"}
        </Fact>
        <Fact name="Spent">
          {dollars(spent.usd)}, {tokens(spent.tokens)} tokens
        </Fact>
        <Fact name="Set">
          {startOf(goal.started_at, false)}, by {SETTERS[goal.created_by] ?? goal.created_by}
          {finished_at !== null && `; ended ${startOf(finished_at, false)}`}
        </Fact>
        <Fact name="Conversation">
          <Link to={`/chat/${encodeURIComponent(goal.session_id)}`} className="text-accent hover:underline">
            Open chat
          </Link>
        </Fact>
      </dl>
    </section>
  );
}

const SETTERS: Readonly<Record<string, string>> = { operator: "you", chat: "you, in the chat", agent: "the agent" };

function listOf(items: readonly string[]): ReactNode {
  return (
    <ul className="list-disc pl-4">
      {items.map((item, at) => (
        <li key={`${at} ${item}`}>{item}</li>
      ))}
    </ul>
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
