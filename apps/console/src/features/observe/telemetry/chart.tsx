import { lazy, type ReactElement, Suspense, useMemo, useState } from "react";
import { classNames, Skeleton, startOf, Table } from "../../ui/index.ts";
import { type Bucket, type ChartFigures, type ChartLine, hasFigures } from "./figures.ts";

const Plot = lazy(() => import("./plot.tsx").then(({ Plot: component }) => ({ default: component })));

const KEYS: Readonly<Record<ChartLine["colour"], string>> = {
  accent: "bg-accent",
  good: "bg-good",
  "ink-soft": "bg-ink-soft",
};

/** A chart of figures over time, with the values under the pointer, and as a table. */
export function Chart({
  figures,
  series,
  daily,
}: {
  readonly figures: ChartFigures;
  readonly series: readonly Bucket[];
  /** Buckets are days: their times are dates. */
  readonly daily: boolean;
}): ReactElement {
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
            <Plot figures={figures} times={times} onPoint={setPoint} />
          </Suspense>
          <FiguresTable figures={figures} series={series} daily={daily} />
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

function FiguresTable({
  figures: { title, lines, write },
  series,
  daily,
}: {
  readonly figures: ChartFigures;
  readonly series: readonly Bucket[];
  readonly daily: boolean;
}): ReactElement {
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
              { name: "From", cell: ({ bucket }) => timeOf(bucket, daily) },
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
