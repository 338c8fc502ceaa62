import { type ReactElement, useState } from "react";
import { Button, count, dollars, duration, Section, Table, tokens } from "../../../ui/index.ts";
import { PriceDialog } from "./price-dialog.tsx";
import type { Summary } from "./summary.ts";

/** The figures of a time by model and by tool. */
export function Breakdown({
  summary: { by_model: models, by_tool: tools },
}: {
  readonly summary: Summary;
}): ReactElement {
  const [priced, setPriced] = useState<string | undefined>(undefined);
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
              { name: "Tool", cell: ({ tool }) => tool },
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
