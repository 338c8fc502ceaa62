import { type ReactElement, useState } from "react";
import { Dialog, EmptyState, InlineError } from "../../../ui/index.ts";
import type { McpServerDetail, McpTool } from "../server/mcp-types.ts";
import { useEditServer } from "../use-servers.ts";
import { ToolRow } from "./tool-row.tsx";
import { selectionOf, switchOf } from "./tool-switch.ts";
import { TryTool } from "./try-tool.tsx";

/** The tools of a server, with a switch each. */
export function ToolList({
  server: { name, tools, settings, state },
  mayChange,
}: {
  readonly server: McpServerDetail;
  readonly mayChange: boolean;
}): ReactElement {
  const edit = useEditServer(name);
  const [tried, setTried] = useState<McpTool>();
  const [open, setOpen] = useState(false);
  const selection = selectionOf(settings);
  const listed = tools.filter(({ kind }) => kind === "tool");
  if (listed.length === 0)
    return (
      <EmptyState drawing="agents" title="No tools yet">
        {state === "ready" ? "It is connected and brings none." : "Its tools appear here once it is connected."}
      </EmptyState>
    );
  return (
    <>
      {edit.error !== null && <InlineError error={edit.error} />}
      <ul aria-label={`Tools of ${name}`} className="divide-y divide-line">
        {listed.map((tool) => {
          const result = switchOf(tool, selection);
          return (
            <ToolRow
              key={tool.name}
              tool={tool}
              reason={"reason" in result ? result.reason : undefined}
              disabled={!mayChange || edit.isPending || tool.state === "gone"}
              onSwitch={() => {
                if (!("next" in result)) return;
                const { include, exclude } = result.next;
                edit.mutate({ tools: { include: [...include], exclude: [...exclude] } });
              }}
              onTry={() => {
                setTried(tool);
                setOpen(true);
              }}
            />
          );
        })}
      </ul>
      {tried !== undefined && (
        <Dialog open={open} onOpenChange={setOpen} title={`Try ${tried.name}`} sheet>
          <TryTool key={tried.full_name} tool={tried} />
        </Dialog>
      )}
    </>
  );
}
