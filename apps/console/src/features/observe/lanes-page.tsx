import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useApi } from "../../api/index.ts";
import {
  Button,
  buttonClass,
  count,
  duration,
  EmptyState,
  ErrorState,
  RelativeTime,
  SkeletonRows,
  Table,
} from "../../ui/index.ts";
import { ObservePage } from "./observe-page.tsx";

type Lane = NonNullable<
  AnswerOf<Extract<OperatorDefinition, { readonly name: "telemetry.llm-lanes" }>>["lanes"]
>[number];

/** The running and waiting model calls of each connection, at a moment. */
export function LanesPage(): ReactElement {
  const { operator } = useApi();
  const read = useQuery({ queryKey: ["lanes"], queryFn: () => operator.get("/api/telemetry/llm-lanes") });
  const lanes = read.data?.lanes ?? [];
  const at = read.data?.generated_at;
  return (
    <ObservePage
      actions={
        <Button small busy={read.isFetching} onClick={() => void read.refetch()}>
          Read again
        </Button>
      }
    >
      {read.isPending && <SkeletonRows />}
      {read.error !== null && read.data === undefined && (
        <ErrorState title="The queue cannot be read" error={read.error} onRetry={() => void read.refetch()} />
      )}
      {read.data?.enabled === false && (
        <EmptyState
          drawing="runs"
          title="Model calls are not limited"
          action={
            <Link to="/settings" className={buttonClass({})}>
              Open the settings
            </Link>
          }
        >
          With <code>model.max_inflight</code> in the settings, at most that many calls go to a connection at once.
          Calls that wait, and how long, are shown here then.
        </EmptyState>
      )}
      {read.data?.enabled === true && lanes.length === 0 && (
        <EmptyState drawing="runs" title="No model was called yet">
          A connection appears here once it was called.
        </EmptyState>
      )}
      {lanes.length > 0 && (
        <div className="flex flex-col gap-3 p-4">
          {at !== undefined && (
            <p className="text-sm text-ink-soft">
              Read <RelativeTime at={at} />, and again whenever a turn begins or ends.
            </p>
          )}
          <LaneTable lanes={lanes} />
        </div>
      )}
    </ObservePage>
  );
}

/** A time that the API returns in seconds. */
function seconds(value: number | null): string {
  return duration(value === null ? null : value * 1_000);
}

function LaneTable({ lanes }: { readonly lanes: readonly Lane[] }): ReactElement {
  return (
    <Table
      label="Model calls"
      rows={lanes}
      keyOf={({ lane }) => lane}
      columns={[
        { name: "Connection", cell: ({ lane }) => lane },
        { name: "State", cell: ({ saturated }) => (saturated ? "Full" : "Free") },
        { name: "Calls", numeric: true, cell: ({ inflight, limit }) => `${count(inflight)} of ${count(limit)}` },
        { name: "Kept for people", numeric: true, cell: ({ reserve }) => count(reserve) },
        {
          name: "Waiting",
          numeric: true,
          cell: ({ queued, queued_by_priority: by }) => (
            <span title={`${by.interactive} for people, ${by.default} normal, ${by.bulk} in bulk`}>
              {count(queued)}
            </span>
          ),
        },
        { name: "Longest wait", numeric: true, cell: ({ oldest_wait_s: wait }) => seconds(wait) },
        { name: "Median wait", numeric: true, cell: ({ wait_p50_s_5m: wait }) => seconds(wait) },
        { name: "90th percentile", numeric: true, cell: ({ wait_p90_s_5m: wait }) => seconds(wait) },
        { name: "Gave up", numeric: true, cell: ({ queue_timeouts_5m: timeouts }) => count(timeouts) },
      ]}
    />
  );
}
