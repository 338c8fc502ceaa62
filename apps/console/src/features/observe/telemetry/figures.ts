import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { count, dollars, duration, tokens, UNKNOWN } from "../../../ui/index.ts";

/** One bucket of the series. */
export type Bucket = AnswerOf<Extract<OperatorDefinition, { readonly name: "telemetry.series" }>>["series"][number];

/** A line or a row of bars over time. */
export interface ChartLine {
  readonly label: string;
  /** The design system's name of its colour. */
  readonly colour: "accent" | "good" | "ink-soft" | "line-strong";
  /** One for each bucket; null where unknown. */
  readonly values: readonly (number | null)[];
  /** Of the time before: drawn faint, and dashed. */
  readonly before?: true;
}

/** A chart of the telemetry page. */
export interface ChartFigures {
  readonly title: string;
  readonly shape: "bars" | "lines";
  readonly lines: readonly ChartLine[];
  readonly write: (value: number | null | undefined) => string;
  /** Shown where there is nothing to draw. */
  readonly none: string;
}

/** A share as people read it: `42 %`. */
export function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : `${Math.round(value * 100)} %`;
}

/** The share of the input that came from the provider's cache; null without input. */
export function cacheShare({
  input_tokens,
  cache_read_input_tokens,
}: Pick<Bucket, "input_tokens" | "cache_read_input_tokens">): number | null {
  return input_tokens === 0 ? null : cache_read_input_tokens / input_tokens;
}

/** The charts of a series: cost, tokens, duration, cache hits, turns; the first line of each with that of the time before. */
export function chartsOf(series: readonly Bucket[], before: readonly Bucket[]): readonly ChartFigures[] {
  const line = (label: string, colour: ChartLine["colour"], of: (bucket: Bucket) => number | null): ChartLine => ({
    label,
    colour,
    values: series.map(of),
  });
  const faint = (of: (bucket: Bucket) => number | null): ChartLine => ({
    ...{ label: "The time before", colour: "line-strong", before: true },
    values: series.map((_, index) => {
      const earlier = before[index];
      return earlier === undefined ? null : of(earlier);
    }),
  });
  return [
    {
      title: "Cost",
      shape: "bars",
      write: dollars,
      none: "No turn of this time has a model whose price is known.",
      lines: [line("Cost, estimated", "accent", (b) => b.cost_usd), faint((b) => b.cost_usd)],
    },
    {
      title: "Turns",
      shape: "bars",
      write: count,
      none: "No turn ended in this time.",
      lines: [line("Turns", "accent", (b) => b.turns), faint((b) => b.turns)],
    },
    {
      title: "Duration",
      shape: "lines",
      write: duration,
      none: "No turn ended in this time.",
      lines: [
        line("Median", "accent", (b) => b.p50_duration_ms),
        line("95th percentile", "ink-soft", (b) => b.p95_duration_ms),
        faint((b) => b.p50_duration_ms),
      ],
    },
    {
      title: "Tokens",
      shape: "lines",
      write: tokens,
      none: "No model reported its tokens in this time.",
      lines: [
        line("Input", "accent", (b) => b.input_tokens),
        line("Output", "good", (b) => b.output_tokens),
        line("From the cache", "ink-soft", (b) => b.cache_read_input_tokens),
        faint((b) => b.input_tokens),
      ],
    },
    {
      title: "Cache hits",
      shape: "lines",
      write: percent,
      none: "Nothing was read from a cache in this time.",
      lines: [line("Share of input", "accent", cacheShare), faint(cacheShare)],
    },
  ];
}

/** How a figure changed against the time before: `+20 %`; undefined where either is unknown or nothing was before. */
export function changeOf(now: number | null, before: number | null | undefined): string | undefined {
  if (now === null || before === null || before === undefined || before === 0) return undefined;
  const change = Math.round(((now - before) / before) * 100);
  return change === 0 ? "the same" : `${change > 0 ? "+" : "−"}${count(Math.abs(change))} %`;
}

/** Whether a chart has anything to show. */
export function hasFigures({ lines }: ChartFigures): boolean {
  return lines.some(
    ({ values, before }) => before === undefined && values.some((value) => value !== null && value !== 0),
  );
}
