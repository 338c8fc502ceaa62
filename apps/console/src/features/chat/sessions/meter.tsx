import { useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useEffect } from "react";
import { dollars, tokens, UNKNOWN } from "../../../ui/index.ts";
import type { StoredTurn } from "../live/turn-history.ts";
import { useTurnUsage } from "../live/use-live-turns.ts";
import { contextOf } from "./context-of.ts";

/**
 * The context and cost of a conversation, from the turns read so far and the running one. Hovering a figure shows where it
 * comes from.
 */
export function Meter({
  session,
  turns,
  whole,
}: {
  readonly session: string;
  readonly turns: readonly StoredTurn[];
  /** All turns were read. */
  readonly whole: boolean;
}): ReactElement | null {
  const queries = useQueryClient();
  const usage = useTurnUsage(session);
  const { context, window, isNewModel } = contextOf(turns, usage);
  useEffect(() => {
    // The turn as it is stored knows the model's window.
    if (isNewModel) void queries.invalidateQueries({ queryKey: ["sessions", session, "turns"] });
  }, [isNewModel, queries, session]);
  if (turns.length === 0) return null;
  const share = context === undefined || window === undefined ? undefined : context / window;
  const priced = turns.filter(({ cost_usd }) => cost_usd !== null);
  const cost = priced.length === 0 ? undefined : priced.reduce((all, { cost_usd }) => all + (cost_usd ?? 0), 0);
  const isLeast = !whole || priced.length < turns.length;
  return (
    <p className="flex shrink-0 gap-3 text-sm text-ink-soft tabular-nums max-list:hidden">
      <span
        title={`The last model call of this chat was given ${tokens(context)} tokens; ${window === undefined ? "how many its model takes is not known" : `its model takes ${tokens(window)}`}`}
      >
        Context {tokens(context)} · {share === undefined ? `${UNKNOWN} %` : percent(share)}
      </span>
      <span
        title={`Estimated from price lists, of ${priced.length} turns${isLeast ? "; others were not read or have no price" : ""}`}
      >
        {cost !== undefined && isLeast ? "≥ " : ""}
        {cost === undefined ? "Cost –" : `≈ ${dollars(cost)}`}
      </span>
    </p>
  );
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(share * 100)} %`;
}
