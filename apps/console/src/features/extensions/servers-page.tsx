import { type ReactElement, type ReactNode, useState } from "react";
import { useApi, useIsManaged } from "../../api/index.ts";
import { PartPage } from "../../parts/index.ts";
import { Button, EmptyState, ErrorState, InlineError, SkeletonRows } from "../../ui/index.ts";
import { AddDialog, type AddKind } from "./add/add-dialog.tsx";
import { EXTENSION_PARTS } from "./extension-parts.ts";
import { ServerRow } from "./server/server-row.tsx";
import { type ServerList, useServerChange, useServers } from "./use-servers.ts";

/** The servers of tools, with the ways to add one. */
export function ServersPage(): ReactElement {
  const { data, error, refetch } = useServers();
  const mayChange = !useIsManaged();
  // What a dialog is about stays while it fades.
  const [kind, setKind] = useState<AddKind>("catalog");
  const [open, setOpen] = useState(false);
  const begin = (next: AddKind): void => {
    setKind(next);
    setOpen(true);
  };
  const buttons = mayChange && (
    <>
      <Button small onClick={() => begin("import")}>
        Paste a file
      </Button>
      <Button small onClick={() => begin("target")}>
        Add by hand
      </Button>
      <Button small kind="primary" onClick={() => begin("catalog")}>
        Open the catalogue
      </Button>
    </>
  );
  const isEmpty = data?.servers.length === 0;
  return (
    <PartPage title="Extensions" parts={EXTENSION_PARTS} actions={data !== undefined && !isEmpty && buttons}>
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {!mayChange && (
          <p className="pt-4 text-ink-soft">
            The configuration of this service is managed elsewhere: servers are changed there, and shown here.
          </p>
        )}
        {data === undefined && error === null && <SkeletonRows rows={4} />}
        {data === undefined && error !== null && (
          <ErrorState title="The servers cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {isEmpty && <NoServers action={buttons} />}
        {data !== undefined && !isEmpty && <Servers list={data} mayChange={mayChange} />}
      </div>
      <AddDialog kind={kind} open={open} onOpenChange={setOpen} />
    </PartPage>
  );
}

function Servers({ list, mayChange }: { readonly list: ServerList; readonly mayChange: boolean }): ReactElement {
  return (
    <>
      {list.enabled ? (
        <p className="pt-4 text-ink-soft">
          Programs and services that bring tools to the agent. It reads what you approved of them, and nothing else.
        </p>
      ) : (
        <SwitchedOff mayChange={mayChange} />
      )}
      <ul aria-label="MCP servers" className="divide-y divide-line">
        {list.servers.map((server) => (
          <ServerRow key={server.name} server={server} mayChange={mayChange} />
        ))}
      </ul>
    </>
  );
}

function SwitchedOff({ mayChange }: { readonly mayChange: boolean }): ReactElement {
  const { operator } = useApi();
  const turnOn = useServerChange(() => operator.post("/api/settings", { body: { updates: { "mcp.enabled": true } } }));
  return (
    <div className="flex flex-col items-start gap-2 pt-4">
      <p className="text-ink-soft">MCP is off: no server runs, and the agent has none of their tools.</p>
      {mayChange && (
        <Button small busy={turnOn.isPending} onClick={() => turnOn.mutate(undefined)}>
          Turn it on
        </Button>
      )}
      {turnOn.error !== null && <InlineError error={turnOn.error} />}
    </div>
  );
}

function NoServers({ action }: { readonly action: ReactNode }): ReactElement {
  return (
    <EmptyState
      drawing="agents"
      title="No servers yet"
      action={<div className="flex flex-row-reverse flex-wrap justify-end gap-2">{action}</div>}
    >
      Programs and services that bring tools over the Model Context Protocol appear here. Choose one from the catalogue,
      or paste the file that Claude or VS Code has of them.
    </EmptyState>
  );
}
