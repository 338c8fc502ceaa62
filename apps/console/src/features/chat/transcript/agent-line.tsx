import type { ReactElement } from "react";
import { useConnection } from "../../../api/index.ts";
import { AgentFigure } from "../../../identity/index.ts";
import { Button, dollars, duration, Elapsed, StateBadge, tokens } from "../../../ui/index.ts";
import { isOver } from "../live/live-turn.ts";
import type { TurnView } from "./shown-turns.ts";

/** The head of an answer: figure and name of the agent, its state, and what it took so far. */
export function AgentLine({
  view,
  agentName,
  onStop,
}: {
  readonly view: TurnView;
  readonly agentName: string;
  readonly onStop: ((taskId: string) => void) | undefined;
}): ReactElement {
  const { state, taskId, reconnecting } = view;
  const over = isOver(state);
  const lost = useConnection() === "lost";
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-0.5 text-sm text-ink-soft">
      {/* In the margin, where there is one. */}
      <AgentFigure
        name={agentName}
        className="size-6 @min-[55rem]:absolute @min-[55rem]:-left-10 @min-[55rem]:size-7"
      />
      <h2 className="text-base font-semibold text-ink">{agentName}</h2>
      {reconnecting || (!over && lost) ? (
        <span role="status">Reconnecting…</span>
      ) : (
        state !== "completed" && <StateBadge state={state} {...(state === "canceled" && { label: "Stopped" })} />
      )}
      {!over && (
        <span className="tabular-nums">
          <Elapsed since={view.startedAt} />
          {view.tokens !== undefined && (
            <span title="Of the finished model calls"> · {tokens(view.tokens)} tokens</span>
          )}
        </span>
      )}
      {!over && taskId !== undefined && onStop !== undefined && (
        <Button small className="ml-auto" onClick={() => onStop(taskId)}>
          Stop
        </Button>
      )}
    </div>
  );
}

/** How long a turn took, its tokens and its cost. */
export function TurnFigures({ view: { stored, tokens: used } }: { readonly view: TurnView }): ReactElement {
  return (
    <span className="ml-auto text-sm tabular-nums" title={stored?.model ?? undefined}>
      {duration(stored?.duration_ms)}
      {used !== undefined && used !== null && ` · ${tokens(used)} tokens`}
      {stored !== undefined && stored.cost_usd !== null && (
        <span title="Estimated from the model's price list"> · ≈ {dollars(stored.cost_usd)}</span>
      )}
    </span>
  );
}
