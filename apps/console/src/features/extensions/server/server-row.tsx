import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { count, InlineError, Switch } from "../../../ui/index.ts";
import { useEditServer } from "../use-servers.ts";
import type { McpServer } from "./mcp-types.ts";
import { ServerMenu } from "./server-menu.tsx";
import { transportLabel } from "./server-state.ts";
import { StateStory } from "./state-story.tsx";
import { StateWord } from "./state-word.tsx";

/** A server in the list: its state, what it brings, and what waits of it. */
export function ServerRow({
  server,
  mayChange,
}: {
  readonly server: McpServer;
  readonly mayChange: boolean;
}): ReactElement {
  const { name, state, enabled, tool_count: tools, transport } = server;
  const edit = useEditServer(name);
  return (
    <li className="flex items-start gap-3 py-3.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
          <h2 className="min-w-0 font-medium break-all">
            <Link
              to="/extensions/mcp/$server"
              params={{ server: name }}
              className="underline-offset-2 hover:text-accent hover:underline"
            >
              {name}
            </Link>
          </h2>
          <StateWord state={state} />
        </div>
        <p className="text-sm text-ink-soft">
          {[transportLabel(transport), tools === 1 ? "1 tool" : tools > 0 && `${count(tools)} tools`]
            .filter(Boolean)
            .join(" · ")}
        </p>
        <StateStory server={server} />
        {edit.error !== null && <InlineError error={edit.error} />}
      </div>
      {mayChange && (
        <>
          <Switch
            className="mt-1"
            aria-label={`Use ${name}`}
            checked={edit.isPending ? edit.variables.enabled === true : enabled}
            disabled={edit.isPending}
            onChange={({ target }) => edit.mutate({ enabled: target.checked })}
          />
          <ServerMenu server={server} />
        </>
      )}
    </li>
  );
}
