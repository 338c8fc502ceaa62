import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useApi } from "../../api/index.ts";
import { buttonClass, EmptyState, ErrorState, InlineError, Page, SkeletonRows, Switch } from "../../ui/index.ts";
import { BackToSettings } from "./back-to-settings.tsx";
import { fieldOf, useSaveSettings, useSettings } from "./use-settings.ts";

/** The roles of subagents. */
export function SubagentsPage(): ReactElement {
  const { operator } = useApi();
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ["subagents"],
    queryFn: () => operator.get("/api/subagents"),
  });
  const { data: schema } = useSettings();
  const save = useSaveSettings();
  return (
    <Page title="Subagents" lead={<BackToSettings />}>
      <div className="max-w-4xl px-4 pb-16">
        <p className="pt-4 text-sm text-ink-soft">
          The agent gives parts of its work to these roles. Each has tools and a number of rounds of its own, and works
          under the same rules.
        </p>
        {isPending && <SkeletonRows />}
        {error !== null && data === undefined && (
          <ErrorState title="The subagents cannot be read" error={error} onRetry={() => void refetch()} />
        )}
        {data?.subagents.length === 0 && (
          <EmptyState drawing="agents" title="There are no subagents">
            This agent has no roles to delegate work to.
          </EmptyState>
        )}
        {save.error !== null && <InlineError error={save.error} />}
        <ul className="divide-y divide-line">
          {data?.subagents.map(({ name, description, enabled, tools, max_turns: rounds, model }) => {
            const key = `subagents.${name}.enabled`;
            const field = schema && fieldOf(schema, key);
            return (
              <li key={name} className="flex items-start gap-4 py-4">
                <div className="flex min-w-0 flex-1 flex-col gap-1">
                  <h2 className="font-display text-lg font-semibold">{name}</h2>
                  <p>{description}</p>
                  <p className="text-sm text-ink-soft">
                    {rounds} rounds, {model === "" ? "the default model" : model},{" "}
                    {tools.length === 0 ? "no tools" : tools.join(", ")}
                  </p>
                  {field !== undefined && (
                    <Link
                      to="/settings/all"
                      search={{ q: `subagents.${name}` }}
                      className={`self-start ${buttonClass({ small: true })}`}
                    >
                      Change {name}
                    </Link>
                  )}
                </div>
                <Switch
                  aria-label={name}
                  checked={enabled}
                  disabled={field === undefined || field.read_only || save.isPending}
                  onChange={(event) => save.mutate({ updates: { [key]: event.target.checked } })}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </Page>
  );
}
