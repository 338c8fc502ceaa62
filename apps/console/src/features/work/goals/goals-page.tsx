import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactElement, useMemo, useState } from "react";
import { pagedQuery, useApi } from "../../../api/index.ts";
import { useCommands } from "../../../commands/index.ts";
import { type Goal, goalBadge, progressOf, tamperedFile } from "../../../goal/index.ts";
import { ListColumn } from "../../../list-column/index.ts";
import { Button, classNames, Dialog, EmptyState, ListStates, StateBadge } from "../../../ui/index.ts";
import { WorkPage } from "../work-page.tsx";
import { GoalForm } from "./goal-form.tsx";

/** Goals beside the one that is open; on a phone they are two pages. */
export function GoalsPage(): ReactElement {
  const { goal } = useParams({ strict: false }) as { readonly goal?: string };
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  useCommands(useMemo(() => [{ id: "goal-add", label: "New goal", group: "Work", run: () => setAdding(true) }], []));
  return (
    <WorkPage
      fill
      actions={
        <Button kind="primary" small onClick={() => setAdding(true)}>
          New goal
        </Button>
      }
    >
      <ListColumn hidden={goal !== undefined}>
        <GoalList onAdd={() => setAdding(true)} />
      </ListColumn>
      <div className={classNames("min-w-0 flex-1 overflow-y-auto", goal === undefined && "hidden list:block")}>
        {goal === undefined && (
          <p className="px-6 py-24 text-center text-ink-soft">Choose a goal to see how far it is.</p>
        )}
        <Outlet />
      </div>
      <Dialog open={adding} onOpenChange={setAdding} title="New goal" sheet>
        <GoalForm
          onDone={(session) => {
            setAdding(false);
            void navigate({ to: "/work/goals/$goal", params: { goal: session } });
          }}
        />
      </Dialog>
    </WorkPage>
  );
}

function GoalList({ onAdd }: { readonly onAdd: () => void }): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["goal", "list"], (page) => operator.get("/api/goals", { query: { limit: 100, ...page } })),
  );
  const goals = list.data?.pages.flatMap((page) => page.goals) ?? [];
  const isOff = list.data?.pages[0]?.enabled === false;
  return (
    <section aria-label="Goals" className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      {isOff && (
        <p role="status" className="border-b border-line bg-sunken px-4 py-2 text-sm">
          Goals are switched off: none is worked on or checked. Switch on <span className="font-medium">Goals</span> in
          the settings.
        </p>
      )}
      <ListStates
        list={list}
        isEmpty={goals.length === 0}
        failed="The goals cannot be read"
        empty={
          <EmptyState drawing="agents" title="There is no goal" action={<Button onClick={onAdd}>New goal</Button>}>
            Say what is to hold and how that is checked. The agent works on it turn by turn, a check looks after each,
            and it ends once the check finds it met, or its turns are used up. Or write “/goal” and the goal in a chat.
          </EmptyState>
        }
      >
        <ul className="flex flex-col p-2">
          {goals.map((goal) => (
            <GoalItem key={goal.id} goal={goal} />
          ))}
        </ul>
      </ListStates>
    </section>
  );
}

function GoalItem({ goal }: { readonly goal: Goal }): ReactElement {
  const session = encodeURIComponent(goal.session_id);
  const isTampered = tamperedFile(goal.last_reason) !== undefined;
  return (
    <li className="flex flex-col gap-0.5 rounded-md px-2.5 py-2 hover:bg-hover has-data-[status=active]:bg-accent-soft">
      <Link to="/work/goals/$goal" params={{ goal: goal.session_id }} className="flex flex-col gap-0.5">
        <span data-name className="line-clamp-2 font-medium">
          {goal.condition}
        </span>
        {goal.last_reason !== "" && (
          <span className={classNames("truncate text-xs", isTampered ? "text-bad" : "text-ink-soft")}>
            {goal.last_reason}
          </span>
        )}
      </Link>
      <span className="flex min-h-4.5 items-center gap-2 text-xs text-ink-soft">
        <span className="tabular-nums">{progressOf(goal)} iterations</span>
        <Link
          to={`/chat/${session}`}
          aria-label={`Open the chat of ${goal.condition}`}
          className="text-accent hover:underline"
        >
          Chat
        </Link>
        <span className="ml-auto inline-flex">
          <StateBadge {...goalBadge(goal)} />
        </span>
      </span>
    </li>
  );
}
