import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { count, dollars, duration, tokens } from "../../../ui/index.ts";
import { changeOf, percent } from "./figures.ts";
import { isoTime, type Span } from "./ranges.ts";
import type { Summary } from "./summary.ts";

interface Tile {
  readonly name: string;
  readonly hint?: string;
  readonly of: (summary: Summary) => number | null;
  readonly write: (value: number | null) => string;
}

const TILES: readonly Tile[] = [
  { name: "Turns", of: ({ turns }) => turns, write: count },
  { name: "Succeeded", of: ({ success_rate }) => success_rate, write: percent },
  { name: "Cost, estimated", of: ({ cost_usd }) => cost_usd, write: dollars },
  { name: "Tokens", of: ({ total_tokens }) => total_tokens, write: tokens },
  { name: "From the cache", of: ({ cache_hit_ratio }) => cache_hit_ratio, write: percent },
  {
    name: "Median",
    hint: "Half of the turns were faster",
    of: ({ p50_duration_ms }) => p50_duration_ms,
    write: duration,
  },
  {
    name: "95th percentile",
    hint: "95 of 100 turns were faster",
    of: ({ p95_duration_ms }) => p95_duration_ms,
    write: duration,
  },
];

/** The figures of a time, each with that of the time before. */
export function Totals({
  summary,
  before,
  span,
}: {
  readonly summary: Summary;
  readonly before: Summary | undefined;
  readonly span: Span;
}): ReactElement {
  const time = { from: isoTime(span.since), to: isoTime(span.until) };
  const unpriced = summary.unpriced_turns;
  const hasBefore = before !== undefined && before.turns > 0;
  return (
    <div className="flex flex-col gap-4 p-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 list:grid-cols-4 inspector:grid-cols-7">
        {TILES.map(({ name, hint, of, write }) => {
          const earlier = hasBefore ? of(before) : null;
          const change = changeOf(of(summary), earlier);
          return (
            <div key={name} title={hint}>
              <dt className="text-sm text-ink-soft">{name}</dt>
              <dd className="font-display text-xl font-semibold tabular-nums">{write(of(summary))}</dd>
              {hasBefore && (
                <dd className="text-xs text-ink-soft tabular-nums">
                  {earlier === null
                    ? "Nothing before"
                    : `${write(earlier)} before${change === undefined ? "" : `, ${change}`}`}
                </dd>
              )}
            </div>
          );
        })}
      </dl>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
        {!hasBefore && <span>There is nothing before this time to compare with.</span>}
        <Link to="/tasks" search={time} className="text-accent underline">
          Runs of this time
        </Link>
        <Link to="/tasks" search={{ ...time, state: "failed" }} className="text-accent underline">
          Those that failed
        </Link>
        {unpriced > 0 && (
          <span>
            The cost leaves out {unpriced === 1 ? "1 turn" : `${count(unpriced)} turns`}: no price is set for the model,
            or its server reported no tokens.{" "}
            <Link to="/settings/connections" className="text-accent underline">
              Set a price
            </Link>
          </span>
        )}
      </p>
    </div>
  );
}
