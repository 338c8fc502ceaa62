import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ban, Search } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useApi } from "../../api/index.ts";
import { CheckField, ErrorState, InlineError, Page, SkeletonRows, Switch, TextField } from "../../ui/index.ts";
import { BackToSettings } from "./back-to-settings.tsx";
import { type Tool, toolGroups } from "./tool-groups.ts";
import { type ToolState, useToolSwitches } from "./use-tool-switches.ts";

/** The agent's tools by their source; each can be turned off and on. */
export function ToolsPage(): ReactElement {
  const { operator } = useApi();
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ["tools"],
    queryFn: () => operator.get("/api/tools"),
  });
  const [search, setSearch] = useState("");
  const switches = useToolSwitches(data?.disabled ?? []);
  return (
    <Page
      title="Tools"
      lead={
        <>
          <BackToSettings />
          {data !== undefined && (
            <span className="text-sm text-ink-soft">
              {data.count} of {data.tools.length} on
            </span>
          )}
        </>
      }
    >
      <div className="flex max-w-4xl flex-col gap-2 px-4 pt-4 pb-16">
        <TextField
          label="Search the tools"
          bare
          type="search"
          placeholder="Search the tools"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <p className="text-sm text-ink-soft">
          A tool that asks first waits for your approval before each call. Which calls are never made and how often a
          tool may be called is set under{" "}
          <Link to="/settings/all" search={{ q: "enforcement" }} className="text-accent underline">
            Approvals and limits of tools
          </Link>
          .
        </p>
        {isPending && <SkeletonRows rows={8} />}
        {error !== null && data === undefined && (
          <ErrorState title="The tools cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {switches.error !== null && <InlineError error={switches.error} />}
        {data !== undefined &&
          toolGroups(data.tools, search).map(({ title, tools }) => (
            <section key={title} aria-label={title}>
              <h2 className="pt-4 pb-1 font-display text-lg font-semibold">{title}</h2>
              <ul className="divide-y divide-line border-y border-line">
                {tools.map((tool) => (
                  <ToolRow
                    key={tool.name}
                    tool={tool}
                    state={switches.of(tool)}
                    onSwitch={(on) => switches.turn(tool.name, on)}
                    onAsk={(first) => switches.ask(tool.name, first)}
                  />
                ))}
              </ul>
            </section>
          ))}
      </div>
    </Page>
  );
}

function ToolRow({
  tool,
  state,
  onSwitch,
  onAsk,
}: {
  readonly tool: Tool;
  readonly state: ToolState;
  readonly onSwitch: (on: boolean) => void;
  readonly onAsk: (first: boolean) => void;
}): ReactElement {
  const { name, description } = tool;
  return (
    <li className="flex items-start gap-4 py-3 max-list:flex-wrap max-list:gap-y-2">
      <div className="min-w-0 flex-1 max-list:basis-full">
        <p className="flex flex-wrap items-center gap-x-3">
          <code className="font-semibold">{name}</code>
          {state.offByItself && <Mark icon={Ban} label="Off by settings of its own" />}
          {tool.blocked && <Mark icon={Ban} label="Never run" />}
          {tool.deferred && <Mark icon={Search} label="Found by search" />}
        </p>
        <p className="text-sm text-ink-soft">{description}</p>
      </div>
      <CheckField
        label="Ask first"
        aria-label={`Ask first: ${name}`}
        className="mr-auto shrink-0 gap-1.5 text-sm text-ink-soft"
        checked={state.asks}
        disabled={!state.canAsk}
        onChange={(event) => onAsk(event.target.checked)}
      />
      <Switch
        aria-label={name}
        checked={state.on}
        disabled={!state.canSwitch}
        onChange={(event) => onSwitch(event.target.checked)}
      />
    </li>
  );
}

function Mark({ icon: Icon, label }: { readonly icon: typeof Ban; readonly label: string }): ReactElement {
  return (
    <span className="inline-flex items-center gap-1 text-xs text-ink-soft">
      <Icon aria-hidden className="size-3.5" />
      {label}
    </span>
  );
}
