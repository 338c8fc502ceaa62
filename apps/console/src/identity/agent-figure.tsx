import { type ReactElement, useMemo } from "react";
import { classNames } from "../ui/index.ts";
import { type FigureTile, figureTiles, initialOf } from "./figure-tiles.ts";

/** The paths of the shapes in a square of 16, before they are turned. */
const PATHS: Readonly<Record<FigureTile["shape"], string>> = {
  quarter: "M0 0H16A16 16 0 0 1 0 16Z",
  disc: "M8 1a7 7 0 1 1 0 14a7 7 0 1 1 0-14Z",
  arch: "M0 16V8a8 8 0 0 1 16 0v8Z",
  leaf: "M0 0H8a8 8 0 0 1 8 8v8H8a8 8 0 0 1-8-8Z",
  block: "M0 0H16V16H0Z",
};

/**
 * The figure of an agent, made from its name: beside its answers, in the rail, in the wizard, on what is passed on.
 * `withInitial` writes the name's first letter over it, where there is room. It contains nothing that the name beside it does not,
 * so screen readers skip it.
 */
export function AgentFigure({
  name,
  withInitial = false,
  className,
}: {
  readonly name: string;
  readonly withInitial?: boolean;
  readonly className?: string;
}): ReactElement {
  const tiles = useMemo(() => figureTiles(name), [name]);
  const initial = withInitial ? initialOf(name) : undefined;
  return (
    <svg
      aria-hidden
      data-figure
      viewBox="0 0 32 32"
      className={classNames("shrink-0 overflow-hidden rounded-[28%] bg-accent-soft", className)}
    >
      {tiles.map(({ shape, turn, tone }, index) => (
        <path
          key={index}
          d={PATHS[shape]}
          transform={`translate(${(index % 2) * 16} ${Math.floor(index / 2) * 16}) rotate(${turn * 90} 8 8)`}
          className={TONES[tone]}
        />
      ))}
      {initial !== undefined && (
        <>
          <circle cx="16" cy="16" r="9" className="fill-raised" />
          <text
            x="16"
            y="16"
            dy=".35em"
            textAnchor="middle"
            className="fill-accent font-display text-[11px] font-semibold"
          >
            {initial}
          </text>
        </>
      )}
    </svg>
  );
}

const TONES: Readonly<Record<FigureTile["tone"], string>> = {
  4: "fill-[var(--accent-4)]",
  6: "fill-[var(--accent-6)]",
  8: "fill-[var(--accent-8)]",
  9: "fill-[var(--accent-9)]",
  11: "fill-[var(--accent-11)]",
};
