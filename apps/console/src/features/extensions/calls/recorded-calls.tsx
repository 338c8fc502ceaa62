import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { pagedQuery, useApi } from "../../../api/index.ts";
import {
  Button,
  bytes,
  count,
  Dialog,
  duration,
  EmptyState,
  ListStates,
  RelativeTime,
  Table,
} from "../../../ui/index.ts";
import type { RecordedCall } from "../server/mcp-types.ts";
import { OUTCOMES } from "./call-outcomes.ts";
import { ReplayCall } from "./replay-call.tsx";

/** The calls of a server's tools, newest first. */
export function RecordedCalls({
  server,
  mayChange,
}: {
  readonly server: string;
  readonly mayChange: boolean;
}): ReactElement {
  const { operator } = useApi();
  const [replayed, setReplayed] = useState<{ readonly call: string; readonly tool: string }>();
  const [open, setOpen] = useState(false);
  const list = useInfiniteQuery(
    pagedQuery(["mcp", "calls", server], (query, signal) =>
      operator.get("/api/mcp/servers/{name}/calls", { params: { name: server }, query, signal }),
    ),
  );
  const replayButton = ({ call_id: call, tool }: RecordedCall): ReactElement => (
    <Button
      small
      aria-label={`Replay ${tool}`}
      onClick={() => {
        setReplayed({ call, tool });
        setOpen(true);
      }}
    >
      Replay
    </Button>
  );
  const calls = list.data?.pages.flatMap((page) => page.calls) ?? [];
  return (
    <ListStates
      list={list}
      isEmpty={calls.length === 0}
      failed="The calls cannot be read"
      empty={
        <EmptyState drawing="records" title="No calls yet">
          Each call of its tools appears here, with how it ended, its time and its size.
        </EmptyState>
      }
    >
      {calls.length > 0 && (
        <Table
          label={`Calls of ${server}`}
          rows={calls}
          keyOf={({ call_id }) => call_id}
          columns={[
            { name: "When", cell: ({ at }) => <RelativeTime at={at} /> },
            {
              name: "Tool",
              cell: ({ tool, task_id }) => (
                <Link to="/tasks/$task" params={{ task: task_id }} className="text-accent underline">
                  <code>{tool}</code>
                </Link>
              ),
            },
            {
              name: "Outcome",
              cell: ({ outcome }) => <span className={OUTCOMES[outcome][1]}>{OUTCOMES[outcome][0]}</span>,
            },
            { name: "Duration", numeric: true, cell: ({ ms }) => (ms === null ? "" : duration(ms)) },
            { name: "Size", numeric: true, cell: (call) => bytes(call.bytes) },
            { name: "Tokens, about", numeric: true, cell: ({ approx_tokens }) => count(approx_tokens) },
            ...(mayChange ? [{ name: "Replay", bare: true, cell: replayButton }] : []),
          ]}
        />
      )}
      {replayed !== undefined && (
        <Dialog open={open} onOpenChange={setOpen} title={`Replay ${replayed.tool}`} sheet>
          <ReplayCall key={replayed.call} server={server} call={replayed.call} />
        </Dialog>
      )}
    </ListStates>
  );
}
