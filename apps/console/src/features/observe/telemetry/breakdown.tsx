import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Button, count, dollars, duration, Section, Table, tokens } from "../../../ui/index.ts";
import { PriceDialog } from "./price-dialog.tsx";
import { isoTime, type Span } from "./ranges.ts";
import type { Summary } from "./summary.ts";

/** The figures of a time by model and by tool: each row leads to its runs. */
export function Breakdown({
  summary: { by_model: models, by_tool: tools },
  span,
}: {
  readonly summary: Summary;
  readonly span: Pick<Span, "since" | "until">;
}): ReactElement {
  const [priced, setPriced] = useState<string | undefined>(undefined);
  const time = { from: isoTime(span.since), to: isoTime(span.until) };
  const mostTurns = Math.max(...models.map(({ turns }) => turns));
  const mostCalls = Math.max(...tools.map(({ calls }) => calls));
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
              {
                name: "Model",
                cell: ({ model, turns }) => (
                  <NameWithBar name={model} part={turns / mostTurns} search={{ model, ...time }} />
                ),
              },
              { name: "Turns", numeric: true, cell: ({ turns }) => count(turns) },
              { name: "Tokens", numeric: true, cell: ({ total_tokens }) => tokens(total_tokens) },
              {
                name: "Cost",
                numeric: true,
                cell: ({ model, cost_usd: cost }) =>
                  cost === null ? (
                    <Button small aria-label={`Set a price for ${model}`} onClick={() => setPriced(model)}>
                      Set a price
                    </Button>
                  ) : (
                    dollars(cost)
                  ),
              },
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
              {
                name: "Tool",
                cell: ({ tool, calls }) => (
                  <NameWithBar name={tool} part={calls / mostCalls} search={{ tool, ...time }} />
                ),
              },
              { name: "Calls", numeric: true, cell: ({ calls }) => count(calls) },
              ...times,
            ]}
          />
        )}
      </Section>
      <PriceDialog model={priced} onClose={() => setPriced(undefined)} />
    </div>
  );
}

interface Timed {
  readonly p50_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
}

/** A link to the runs of a row, over a bar as long as its part of the longest one. */
function NameWithBar({
  name,
  part,
  search,
}: {
  readonly name: string;
  readonly part: number;
  readonly search: { readonly [name: string]: string };
}): ReactElement {
  return (
    <Link
      to="/tasks"
      search={search}
      className="group/bar block min-w-28 text-accent"
      aria-label={`${name}: show its runs`}
      title="Show its runs"
    >
      <span className="group-hover/bar:underline">{name}</span>
      <span aria-hidden className="mt-1 block h-1.5 rounded-full bg-sunken">
        <span
          data-bar
          className="block h-full min-w-0.5 rounded-full bg-accent"
          style={{ width: `${(part * 100).toFixed(1)}%` }}
        />
      </span>
    </Link>
  );
}
