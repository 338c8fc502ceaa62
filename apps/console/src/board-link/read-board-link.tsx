import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { SquareKanban } from "lucide-react";
import type { ReactElement } from "react";
import { useApi, useRuntimeStatus } from "../api/index.ts";

/** Reads the task that a conversation was begun for. */
export function ReadBoardLink({ session }: { readonly session: string }): ReactElement | null {
  const { operator } = useApi();
  const hasBoard = useRuntimeStatus()?.features.tasks?.available === true;
  const { data } = useQuery({
    queryKey: ["board", "of-run", session],
    enabled: hasBoard,
    queryFn: () => operator.get("/api/tasks/issues", { query: { run_session_id: session, limit: 1 } }),
  });
  const issue = data?.issues[0];
  if (issue === undefined) return null;
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-sm text-ink-soft">
      <SquareKanban aria-hidden className="size-4 shrink-0" />
      <span className="shrink-0">On the board:</span>
      <Link to={`/work/board/${issue.id}`} className="min-w-0 truncate text-accent underline">
        {issue.title}
      </Link>
    </p>
  );
}
