import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, type ReactElement, Suspense, useMemo, useState } from "react";
import { classNames, count, Skeleton, startOf, Table } from "../../../ui/index.ts";
import { type Bucket, type ChartFigures, type ChartLine, hasFigures } from "./figures.ts";
import { isoTime } from "./ranges.ts";

const Plot = lazy(() => import("./plot.tsx").then(({ Plot: component }) => ({ default: component })));

const KEYS: Readonly<Record<ChartLine["colour"], string>> = {
  accent: "bg-accent",
  good: "bg-good",
  "ink-soft": "bg-ink-soft",
  "line-strong": "border border-dashed border-line-strong",
};

/** A chart of figures over time, with the values under the pointer, and as a table. */
export function Chart({
  figures,
  series,
  bucketMs,
}: {
  readonly figures: ChartFigures;
  readonly series: readonly Bucket[];
  /** Length of a bucket. Times of days are dates. */
  readonly bucketMs: number;
}): ReactElement {
  const daily = bucketMs >= 86_400_000;
  const navigate = useNavigate();
  const open = (index: number): void => {
    const bucket = series[index];
    if (bucket !== undefined) void navigate({ to: "/tasks", search: runsOf(bucket, bucketMs) });
  };
  const [point, setPoint] = useState<number | undefined>(undefined);
  const times = useMemo(() => series.map(({ start }) => Date.parse(start) / 1_000), [series]);
  const { title, lines, write, none } = figures;
  const shown = hasFigures(figures);
  const at = point === undefined ? undefined : series[point];
  return (
    <figure className="flex min-w-0 flex-col gap-1.5 py-3">
      <figcaption className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h3 className="font-semibold">{title}</h3>
        <span className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          {(shown ? lines : []).map(({ label, colour, values }) => (
            <span key={label} className="inline-flex items-center gap-1.5 tabular-nums">
              <span aria-hidden className={classNames("size-2.5 rounded-sm", KEYS[colour])} />
              {label}
              {point !== undefined && <span className="font-medium text-ink">{write(values[point])}</span>}
            </span>
          ))}
        </span>
        <span aria-hidden className="ml-auto text-sm text-ink-soft">
          {at !== undefined && timeOf(at, daily)}
        </span>
      </figcaption>
      {shown ? (
        <>
          <Suspense fallback={<Skeleton className="h-[150px] w-full" />}>
            <Plot figures={figures} times={times} onPoint={setPoint} onOpen={open} />
          </Suspense>
          <FiguresTable figures={figures} series={series} bucketMs={bucketMs} />
        </>
      ) : (
        <p className="flex h-[150px] items-center text-ink-soft">{none}</p>
      )}
    </figure>
  );
}

function timeOf({ start }: Bucket, daily: boolean): string {
  return startOf(start, daily);
}

/** The filter of the list of runs that shows what is in a bucket. */
function runsOf({ start }: Bucket, bucketMs: number): { readonly from: string; readonly to: string } {
  return { from: start, to: isoTime(Date.parse(start) + bucketMs) };
}

function FiguresTable({
  figures: { title, lines, write },
  series,
  bucketMs,
}: {
  readonly figures: ChartFigures;
  readonly series: readonly Bucket[];
  readonly bucketMs: number;
}): ReactElement {
  const daily = bucketMs >= 86_400_000;
  const [open, setOpen] = useState(false);
  const rows = open ? series.map((bucket, index) => ({ bucket, index })).filter(({ bucket }) => bucket.turns > 0) : [];
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="text-sm">
      <summary className="w-fit rounded-sm text-ink-soft hover:text-ink">
        As a table<span className="sr-only">: {title}</span>
      </summary>
      {open && (
        <div className="max-h-72 overflow-y-auto">
          <Table
            label={title}
            rows={rows}
            keyOf={({ bucket }) => bucket.start}
            columns={[
              {
                name: "From",
                cell: ({ bucket }) => (
                  <Link to="/tasks" search={runsOf(bucket, bucketMs)} className="text-accent hover:underline">
                    {timeOf(bucket, daily)}
                    <span className="sr-only">: {bucket.turns === 1 ? "1 run" : `${count(bucket.turns)} runs`}</span>
                  </Link>
                ),
              },
              ...lines.map(({ label, values }) => ({
                name: label,
                numeric: true,
                cell: ({ index }: { readonly index: number }) => write(values[index]),
              })),
            ]}
          />
        </div>
      )}
    </details>
  );
}
