import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { useApi } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import { useSearchValue } from "../../parts/index.ts";
import {
  Button,
  buttonClass,
  Choices,
  count,
  dollars,
  duration,
  EmptyState,
  ErrorState,
  failureOf,
  Section,
  SkeletonRows,
  saveFile,
  Table,
  tokens,
} from "../../ui/index.ts";
import { Chart } from "./chart.tsx";
import { chartsOf, percent } from "./figures.ts";
import { FlaggedTurns } from "./flagged-turns.tsx";
import { ObservePage } from "./observe-page.tsx";
import { RANGES, type Range, rangeOf, sinceOf } from "./ranges.ts";

type Summary = NonNullable<AnswerOf<Extract<OperatorDefinition, { readonly name: "telemetry.summary" }>>["summary"]>;

export function TelemetryPage(): ReactElement {
  const { operator } = useApi();
  const [chosen, choose] = useSearchValue("range");
  const range = rangeOf(chosen);
  const summary = useQuery({
    queryKey: ["telemetry", "summary", range.value],
    queryFn: () => operator.get("/api/telemetry/summary", { query: { since: sinceOf(range, Date.now()) } }),
  });
  const off = summary.data?.enabled === false;
  const figures = summary.data?.summary;
  return (
    <ObservePage actions={<ExportTurns range={range} />}>
      <div className="border-b border-line px-3 py-1.5">
        <Choices label="Time" options={RANGES} value={range.value} onChange={choose} />
      </div>
      {summary.isPending && <SkeletonRows />}
      {summary.error !== null && figures === undefined && (
        <ErrorState title="The telemetry cannot be read" error={summary.error} onRetry={() => void summary.refetch()} />
      )}
      {off && (
        <EmptyState title="Telemetry is off">
          With <code>telemetry.enabled</code> in the settings, the service keeps what each turn cost and how long it
          took.
        </EmptyState>
      )}
      {figures !== undefined && figures.turns === 0 && (
        <EmptyState
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
      {figures !== undefined && figures.turns > 0 && (
        <>
          <Totals summary={figures} />
          <Charts range={range} />
          <Breakdown summary={figures} />
          <FlaggedTurns />
        </>
      )}
    </ObservePage>
  );
}

function turnsOf(turns: number): string {
  return turns === 1 ? "1 turn" : `${count(turns)} turns`;
}

function Totals({ summary }: { readonly summary: Summary }): ReactElement {
  const unpriced = summary.unpriced_turns;
  const figures: readonly (readonly [string, string, string?])[] = [
    ["Turns", count(summary.turns)],
    ["Succeeded", percent(summary.success_rate)],
    [
      "Cost, estimated",
      dollars(summary.cost_usd),
      unpriced > 0 ? `Leaves out ${turnsOf(unpriced)} whose cost is not known` : undefined,
    ],
    ["Tokens", tokens(summary.total_tokens), `${count(summary.input_tokens)} in, ${count(summary.output_tokens)} out`],
    ["From the cache", percent(summary.cache_hit_ratio)],
    ["Median", duration(summary.p50_duration_ms), "Half of the turns took at most this long"],
    ["95th percentile", duration(summary.p95_duration_ms)],
  ];
  return (
    <div className="flex flex-col gap-3 p-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 list:grid-cols-4 inspector:grid-cols-7">
        {figures.map(([name, value, hint]) => (
          <div key={name} title={hint}>
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="text-xl font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {unpriced > 0 && (
        <p className="text-sm text-ink-soft">
          The cost leaves out {turnsOf(unpriced)}: no price is set for the model, or its server reported no tokens.{" "}
          <Link to="/settings/connections" className="text-accent underline">
            Set a price
          </Link>
        </p>
      )}
    </div>
  );
}

function Charts({ range }: { readonly range: Range }): ReactElement {
  const { operator } = useApi();
  const read = useQuery({
    queryKey: ["telemetry", "series", range.value],
    queryFn: () =>
      operator.get("/api/telemetry/series", {
        query: { since: sinceOf(range, Date.now()), bucket: range.bucket },
      }),
  });
  const series = read.data?.series;
  const charts = useMemo(() => chartsOf(series ?? []), [series]);
  if (read.error !== null && series === undefined) {
    return <ErrorState title="The charts cannot be read" error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <Section title="Over time">
      {series === undefined ? (
        <SkeletonRows rows={8} />
      ) : (
        <div className="grid gap-x-8 inspector:grid-cols-2">
          {charts.map((figures) => (
            <Chart key={figures.title} figures={figures} series={series} daily={range.bucket === "day"} />
          ))}
        </div>
      )}
    </Section>
  );
}

function Breakdown({ summary: { by_model: models, by_tool: tools } }: { readonly summary: Summary }): ReactElement {
  const times = [
    { name: "Median", of: (row: Timed) => row.p50_duration_ms },
    { name: "95th percentile", of: (row: Timed) => row.p95_duration_ms },
  ].map(({ name, of }) => ({ name, numeric: true, cell: (row: Timed) => duration(of(row)) }));
  return (
    <div className="grid inspector:grid-cols-2">
      <Section title="By model">
        {models.length === 0 ? (
          <p className="text-ink-soft">No model was asked.</p>
        ) : (
          <Table
            label="Figures by model"
            rows={models}
            keyOf={({ model }) => model}
            columns={[
              { name: "Model", cell: ({ model }) => model },
              { name: "Turns", numeric: true, cell: ({ turns }) => count(turns) },
              { name: "Tokens", numeric: true, cell: ({ total_tokens }) => tokens(total_tokens) },
              { name: "Cost", numeric: true, cell: ({ cost_usd }) => dollars(cost_usd) },
              ...times,
            ]}
          />
        )}
      </Section>
      <Section title="By tool">
        {tools.length === 0 ? (
          <p className="text-ink-soft">No tool was called.</p>
        ) : (
          <Table
            label="Figures by tool"
            rows={tools}
            keyOf={({ tool }) => tool}
            columns={[
              { name: "Tool", cell: ({ tool }) => tool },
              { name: "Calls", numeric: true, cell: ({ calls }) => count(calls) },
              ...times,
            ]}
          />
        )}
      </Section>
    </div>
  );
}

interface Timed {
  readonly p50_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
}

function ExportTurns({ range }: { readonly range: Range }): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const save = useMutation({
    mutationFn: async () => {
      const query = { since: sinceOf(range, Date.now()) };
      saveFile(await (await operator.get("/api/telemetry/export", { query })).blob(), `turns-${range.value}.csv`);
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
