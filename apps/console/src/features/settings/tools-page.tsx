import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ban, CirclePause, Search } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useApi } from "../../api/index.ts";
import { ErrorState, InlineError, Page, SkeletonRows, Switch, TextField } from "../../ui/index.ts";
import { BackToPlaces } from "./back-to-places.tsx";
import { type Tool, toolGroups, withTool } from "./tool-groups.ts";
import { editList, fieldOf, useSaveSettings, useSettings } from "./use-settings.ts";

/** What the agent can do, by what brings it; each can be taken away and given back. */
export function ToolsPage(): ReactElement {
  const { operator } = useApi();
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ["tools"],
    queryFn: () => operator.get("/api/tools"),
  });
  const [search, setSearch] = useState("");
  const { data: schema } = useSettings();
  const field = schema && fieldOf(schema, "tools.disabled");
  const save = useSaveSettings();
  return (
    <Page
      title="Tools"
      lead={
        <>
          <BackToPlaces />
          {data !== undefined && (
            <span className="text-sm text-ink-soft">
              {data.count} of {data.tools.length} on
            </span>
          )}
        </>
      }
    >
      <div className="mx-auto flex max-w-4xl flex-col gap-2 px-4 pt-4 pb-16">
        <TextField
          label="Search the tools"
          bare
          type="search"
          placeholder="Search the tools"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <p className="text-sm text-ink-soft">
          Which calls wait for your word, which are never made and how often a tool may be called, is said under{" "}
          <Link to="/settings/all" search={{ q: "enforcement" }} className="text-accent underline">
            Enforcement
          </Link>
          .
        </p>
        {isPending && <SkeletonRows rows={8} />}
        {error !== null && data === undefined && (
          <ErrorState title="The tools cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {save.error !== null && <InlineError error={save.error} />}
        {data !== undefined &&
          toolGroups(data.tools, search).map(({ title, tools }) => (
            <section key={title} aria-label={title}>
              <h2 className="pt-4 pb-1 font-semibold">{title}</h2>
              <ul className="divide-y divide-line border-y border-line">
                {tools.map((tool) => (
                  <ToolRow
                    key={tool.name}
                    tool={tool}
                    fixed={field === undefined || field.read_only}
                    switchedOff={data.disabled.includes(tool.name)}
                    busy={save.isPending}
                    onSwitch={(on) => save.mutate(editList("tools.disabled", (list) => withTool(list, tool.name, on)))}
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
  fixed,
  switchedOff,
  busy,
  onSwitch,
}: {
  readonly tool: Tool;
  readonly fixed: boolean;
  /** `tools.disabled` names it; where it is off without that, settings of its own keep it so. */
  readonly switchedOff: boolean;
  readonly busy: boolean;
  readonly onSwitch: (on: boolean) => void;
}): ReactElement {
  const { name, description, enabled } = tool;
  return (
    <li className="flex items-start gap-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3">
          <code className="font-semibold">{name}</code>
          {tool.requires_approval && <Mark icon={CirclePause} word="Asks you first" />}
          {!enabled && !switchedOff && <Mark icon={Ban} word="Off by settings of its own" />}
          {tool.blocked && <Mark icon={Ban} word="Never run" />}
          {tool.deferred && <Mark icon={Search} word="Found by search" />}
        </p>
        <p className="text-sm text-ink-soft">{description}</p>
      </div>
      <Switch
        aria-label={name}
        checked={enabled}
        disabled={fixed || busy || (!enabled && !switchedOff)}
        onChange={(event) => onSwitch(event.target.checked)}
      />
    </li>
  );
}

function Mark({ icon: Icon, word }: { readonly icon: typeof Ban; readonly word: string }): ReactElement {
  return (
    <span className="inline-flex items-center gap-1 text-xs text-ink-soft">
      <Icon aria-hidden className="size-3.5" />
      {word}
    </span>
  );
}
