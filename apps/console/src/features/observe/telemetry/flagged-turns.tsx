import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useApi } from "../../../api/index.ts";
import { dollars, duration, RelativeTime, Section, StateBadge, Table, workState } from "../../../ui/index.ts";

/** Unusual turns among the newest ones, with the reason. Renders nothing where there are none. */
export function FlaggedTurns(): ReactElement | null {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["telemetry", "insights"],
    queryFn: () => operator.get("/api/telemetry/insights"),
  });
  const flagged = data?.insights?.flagged ?? [];
  if (flagged.length === 0) return null;
  return (
    <Section title="Unusual turns">
      <Table
        label="Figures of unusual turns"
        rows={flagged}
        keyOf={({ task_id }) => task_id}
        columns={[
          {
            name: "Turn",
            cell: ({ task_id, ended_at }) => (
              <Link to={`/tasks/${task_id}`} className="text-accent hover:underline">
                <RelativeTime at={ended_at} />
              </Link>
            ),
          },
          { name: "State", cell: ({ state }) => <StateBadge state={workState(state)} /> },
          { name: "Reason", cell: ({ reasons }) => reasons.join("; ") },
          { name: "Took", numeric: true, cell: ({ duration_ms }) => duration(duration_ms) },
          { name: "Cost", numeric: true, cell: ({ cost_usd }) => dollars(cost_usd) },
        ]}
      />
    </Section>
  );
}
