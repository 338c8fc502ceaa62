import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Target } from "lucide-react";
import type { ReactElement } from "react";
import { useApi, useRuntimeStatus } from "../api/index.ts";
import { goalBadge, pauseOf, progressOf } from "../goal/index.ts";
import { StateBadge } from "../ui/index.ts";

/** Reads the goal of a conversation; it is shown while it is active. */
export function GoalLine({ session }: { readonly session: string }): ReactElement | null {
  const { operator } = useApi();
  const hasGoals = useRuntimeStatus()?.features.goals?.available === true;
  const { data } = useQuery({
    queryKey: ["goal", "one", session],
    enabled: hasGoals,
    queryFn: () => operator.get("/api/goals/{session_id}", { params: { session_id: session } }),
  });
  const goal = data?.goal ?? null;
  if (goal?.status !== "active") return null;
  const pause = pauseOf(goal);
  return (
    <section aria-label="Goal" className="flex min-w-0 items-center gap-2 rounded-md bg-sunken px-2 py-1 text-sm">
      <Target aria-hidden className="size-4 shrink-0 text-ink-soft" />
      <Link
        to="/work/goals/$goal"
        params={{ goal: session }}
        className="min-w-0 flex-1 truncate text-ink-soft hover:underline"
      >
        Goal: <span className="text-ink">{goal.condition}</span>
        {pause !== undefined && `. ${pause.why}`}
      </Link>
      <span className="shrink-0 text-xs text-ink-soft tabular-nums">{progressOf(goal)}</span>
      <StateBadge {...goalBadge(goal)} />
    </section>
  );
}
