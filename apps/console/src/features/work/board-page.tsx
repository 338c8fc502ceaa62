import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Bot, GripVertical } from "lucide-react";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { useCommands } from "../../commands/index.ts";
import {
  Button,
  classNames,
  Dialog,
  EmptyState,
  ErrorState,
  SkeletonRows,
  StateBadge,
  workState,
} from "../../ui/index.ts";
import { type Issue, type IssueStatus, labelOf, PRIORITIES, STATUSES, TYPES } from "./issue.ts";
import { NewIssueForm } from "./issue-form.tsx";
import { useBoard } from "./use-board.ts";
import { type Carry, useCarry } from "./use-carry.ts";
import { mayRun, runLabel, useIssueRun } from "./use-issue-run.ts";
import { WorkPage } from "./work-page.tsx";

const KEYS_ID = "board-keys";

/** The task board: a column for each status; issues are dragged by pointer or moved by keys. */
export function BoardPage(): ReactElement {
  const board = useBoard();
  const carry = useCarry(board.move);
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();
  useCommands(
    useMemo(
      () => [
        { id: "board-new", label: "New item", keywords: "issue board", group: "Work", run: () => setAdding(true) },
      ],
      [],
    ),
  );
  const { read, columns } = board;
  const empty = read.isSuccess && read.data.issues.length === 0;
  const add = (
    <Button kind="primary" small onClick={() => setAdding(true)}>
      New item
    </Button>
  );
  return (
    <WorkPage actions={add} fill>
      {read.isPending && <SkeletonRows />}
      {read.error !== null && read.data === undefined && (
        <ErrorState title="The board cannot be read" error={read.error} onRetry={() => void read.refetch()} />
      )}
      {empty && (
        <EmptyState
          drawing="board"
          title="The board is empty"
          action={<Button onClick={() => setAdding(true)}>New item</Button>}
        >
          What you or the agent write down is listed here until it is done. The agent adds an item when a piece of work
          is larger than a conversation.
        </EmptyState>
      )}
      {read.isSuccess && !empty && (
        <div
          data-board
          className="flex min-w-0 flex-1 snap-x snap-proximity gap-3 items-start overflow-auto scroll-px-4 p-4 list:snap-none"
        >
          {STATUSES.map(({ value }) => (
            <BoardColumn
              key={value}
              status={value}
              issues={columns[value]}
              carry={carry}
              onMore={read.data.more.has(value) ? () => board.showMore(value) : undefined}
            />
          ))}
        </div>
      )}
      <p id={KEYS_ID} className="sr-only">
        Space picks the item up, arrows choose the column, space drops it, escape puts it back.
      </p>
      <p role="status" className="sr-only">
        {carry.announcement}
      </p>
      <Dialog open={adding} onOpenChange={setAdding} title="New item" sheet>
        <NewIssueForm
          onDone={(id) => {
            setAdding(false);
            if (id !== undefined) carry.focus.current = id;
            void navigate({ to: "/work/board" });
          }}
        />
      </Dialog>
      <Outlet />
    </WorkPage>
  );
}

function BoardColumn({
  status,
  issues,
  carry,
  onMore,
}: {
  readonly status: IssueStatus;
  readonly issues: readonly Issue[];
  readonly carry: Carry;
  readonly onMore: (() => void) | undefined;
}): ReactElement {
  const over = carry.lift?.over === status && carry.lift.from !== status;
  return (
    <section
      data-column={status}
      aria-label={labelOf(STATUSES, status)}
      className={classNames(
        "flex min-h-full w-64 shrink-0 snap-start flex-col rounded-lg bg-sunken list:w-auto list:min-w-52 list:flex-1",
        over && "outline-2 outline-accent",
      )}
    >
      <h2 className="flex items-baseline gap-2 px-3 pt-2.5 pb-1.5 font-display text-lg font-semibold">
        {labelOf(STATUSES, status)}
        <span className="text-sm font-normal text-ink-soft tabular-nums">
          {issues.length}
          {onMore !== undefined && "+"}
        </span>
      </h2>
      <ul className="flex min-h-16 flex-1 flex-col gap-2 px-2 pb-2">
        {issues.map((issue) => (
          <BoardCard key={issue.id} issue={issue} carry={carry} />
        ))}
        {onMore !== undefined && (
          <li>
            <Button small kind="quiet" className="w-full" onClick={onMore}>
              Show older ones
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
}

function BoardCard({ issue, carry }: { readonly issue: Issue; readonly carry: Carry }): ReactElement {
  const { id, title, priority, issue_type: type, assignee } = issue;
  const link = useRef<HTMLAnchorElement>(null);
  const { focus } = carry;
  useEffect(() => {
    if (focus.current !== id) return;
    focus.current = undefined;
    link.current?.focus();
  });
  const carried = carry.lift?.id === id;
  return (
    <li
      onPointerDown={(event) => carry.pointerDown(event, issue)}
      className={classNames(
        "group relative flex flex-col gap-1.5 rounded-md border border-line bg-raised py-2 pr-1 pl-3 select-none hover:border-line-strong",
        carried && "z-10 cursor-grabbing opacity-90 shadow-float",
      )}
    >
      <div className="flex items-start gap-1">
        <Link
          ref={link}
          to="/work/board/$issue"
          params={{ issue: id }}
          draggable={false}
          aria-describedby={KEYS_ID}
          className="min-w-0 flex-1 font-medium after:absolute after:inset-0"
          onKeyDown={(event) => carry.keyDown(event, issue)}
          onBlur={carry.blur}
          onClick={(event) => {
            if (carry.endedDrag(event)) event.preventDefault();
          }}
        >
          {title}
        </Link>
        <span data-grip className="relative cursor-grab touch-none p-1 text-ink-soft">
          <GripVertical aria-hidden className="size-4" />
        </span>
      </div>
      <p className="flex flex-wrap gap-x-2 text-sm text-ink-soft">
        <span className={priority === 0 ? "font-semibold text-bad" : undefined}>{labelOf(PRIORITIES, priority)}</span>
        <span>{labelOf(TYPES, type)}</span>
        {assignee !== "" && <span>{assignee}</span>}
        <span className="ml-auto pr-2 tabular-nums">{id}</span>
      </p>
      {issue.run !== null && (
        <Link
          to={`/tasks/${issue.run.task_id}`}
          draggable={false}
          className="relative w-fit rounded-sm hover:underline"
        >
          <StateBadge state={workState(issue.run.state)} />
          <span className="sr-only">: open its run</span>
        </Link>
      )}
      {mayRun(issue) && <RunButton issue={issue} />}
      {carried && carry.lift.by === "keys" && (
        <p className="text-sm text-accent">Moves to {labelOf(STATUSES, carry.lift.over)}</p>
      )}
    </li>
  );
}

/** Above the link that fills the card. */
function RunButton({ issue }: { readonly issue: Issue }): ReactElement {
  const run = useIssueRun(issue.id);
  return (
    <Button
      small
      kind="quiet"
      busy={run.isPending}
      className="relative -ml-2 self-start text-ink-soft"
      onPointerDown={(event) => event.stopPropagation()}
      onClick={() => run.mutate()}
    >
      <Bot aria-hidden className="size-4" /> {runLabel(issue)}
      <span className="sr-only">: {issue.title}</span>
    </Button>
  );
}
