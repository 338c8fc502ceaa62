import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import {
  Button,
  buttonClass,
  EmptyState,
  ErrorState,
  failureOf,
  Section,
  SkeletonRows,
  saveFile,
} from "../../../ui/index.ts";
import { ObservePage } from "../observe-page.tsx";
import { Breakdown } from "./breakdown.tsx";
import { Chart } from "./chart.tsx";
import { chartsOf } from "./figures.ts";
import { FlaggedTurns } from "./flagged-turns.tsx";
import { RangePicker } from "./range-picker.tsx";
import { BUCKETS, type ChosenTime, isoTime, spanOf } from "./ranges.ts";
import { Totals } from "./totals.tsx";

/** What turns cost and how long they took, in a time and the one before it. */
export function TelemetryPage(): ReactElement {
  const { operator } = useApi();
  const { range, from, to }: ChosenTime = useSearch({ strict: false });
  const chosen = { range, from, to };
  const read = useQuery({
    queryKey: ["telemetry", "summary", chosen],
    queryFn: async ({ signal }) => {
      const span = spanOf(chosen, Date.now());
      const of = ({ since, until }: { readonly since: number; readonly until: number }) =>
        operator.get("/api/telemetry/summary", { signal, query: { since: isoTime(since), until: isoTime(until) } });
      const [current, before] = await Promise.all([of(span), of(span.before)]);
      return { span, current, before };
    },
  });
  const { current, before, span } = read.data ?? {};
  const figures = current?.summary;
  return (
    <ObservePage actions={<ExportTurns since={span?.since ?? 0} />}>
      <RangePicker chosen={chosen} />
      {read.isPending && <SkeletonRows />}
      {read.error !== null && figures === undefined && (
        <ErrorState title="The telemetry cannot be read" error={read.error} onRetry={() => void read.refetch()} />
      )}
      {current?.enabled === false && (
        <EmptyState drawing="chart" title="Telemetry is off">
          With <code>telemetry.enabled</code> in the settings, the service keeps what each turn cost and how long it
          took.
        </EmptyState>
      )}
      {figures !== undefined && figures.turns === 0 && (
        <EmptyState
          drawing="chart"
          title="No turn ended in this time"
          action={
            <Link to="/chat" className={buttonClass({})}>
              Go to the chat
            </Link>
          }
        >
          Cost and duration of turns appear here as soon as one has ended.
        </EmptyState>
      )}
      {figures !== undefined && figures.turns > 0 && span !== undefined && (
        <>
          <Totals summary={figures} before={before?.summary} span={span} />
          <Charts chosen={chosen} />
          <Breakdown summary={figures} span={span} />
          <FlaggedTurns />
        </>
      )}
    </ObservePage>
  );
}

function Charts({ chosen }: { readonly chosen: ChosenTime }): ReactElement {
  const { operator } = useApi();
  const read = useQuery({
    queryKey: ["telemetry", "series", chosen],
    queryFn: async ({ signal }) => {
      const { since, until, bucket } = spanOf(chosen, Date.now());
      const of = async (first: number, end: number) =>
        (
          await operator.get("/api/telemetry/series", {
            signal,
            query: { since: isoTime(first), until: isoTime(end), bucket },
          })
        ).series;
      const [series, before] = await Promise.all([of(since, until), of(since - (until - since), since)]);
      return { series, before, bucketMs: BUCKETS[bucket] };
    },
    placeholderData: keepPreviousData,
  });
  const data = read.data;
  const charts = useMemo(() => (data === undefined ? [] : chartsOf(data.series, data.before)), [data]);
  if (read.error !== null && data === undefined) {
    return <ErrorState title="The charts cannot be read" error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <Section title="Over time">
      {data === undefined ? (
        <SkeletonRows rows={8} />
      ) : (
        <>
          <p className="text-sm text-ink-soft">Press a point of a chart, or a time of its table, for the runs of it.</p>
          <div className="grid gap-x-8 inspector:grid-cols-2">
            {charts.map((figures) => (
              <Chart key={figures.title} figures={figures} series={data.series} bucketMs={data.bucketMs} />
            ))}
          </div>
        </>
      )}
    </Section>
  );
}

function ExportTurns({ since }: { readonly since: number }): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const save = useMutation({
    mutationFn: async () => {
      const query = { since: isoTime(since) };
      saveFile(await (await operator.get("/api/telemetry/export", { query })).blob(), "turns.csv");
    },
    onError: (error) => notify({ text: `The turns were not exported: ${failureOf(error).message}`, tone: "bad" }),
  });
  return (
    <Button small busy={save.isPending} onClick={() => save.mutate()}>
      <Download aria-hidden className="size-4" />
      Export CSV
    </Button>
  );
}
