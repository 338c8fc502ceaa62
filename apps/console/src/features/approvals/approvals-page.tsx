import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useMemo } from "react";
import { pagedQuery, useApi } from "../../api/index.ts";
import { NotifyButton } from "../../notifications/index.ts";
import { PromptCard } from "../../prompts/index.ts";
import { buttonClass, EmptyState, ListStates, Page, RelativeTime } from "../../ui/index.ts";
import { ApprovalTabs } from "./approvals-top.tsx";
import { originOf } from "./origin-of.ts";
import { useFocusNext, useNumberKeys } from "./use-number-keys.ts";

/** All prompts that wait for a person, of any surface and depth (O3). */
export function ApprovalsPage(): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["approvals", "list"], (page) => operator.get("/api/approvals", { query: { limit: 20, ...page } })),
  );
  const prompts = useMemo(() => list.data?.pages.flatMap(({ approvals }) => approvals) ?? [], [list.data]);
  useNumberKeys(prompts);
  useFocusNext(prompts);
  return (
    <Page title="Approvals" lead={<ApprovalTabs />} actions={<NotifyButton />}>
      <ListStates
        list={list}
        isEmpty={prompts.length === 0}
        failed="The approvals cannot be read"
        empty={
          <EmptyState
            title="Nothing waits for you"
            action={
              <Link to="/settings/tools" className={buttonClass({})}>
                Choose which tools ask first
              </Link>
            }
          >
            Questions of the agent and tool calls that need your approval appear here, from every conversation and
            client.
          </EmptyState>
        }
      >
        <ol className="mx-auto flex max-w-3xl flex-col gap-6 p-4">
          {prompts.map((prompt, at) => (
            <li key={prompt.id} className="flex flex-col gap-2">
              <p className="flex flex-wrap gap-x-2 text-sm text-ink-soft">
                <span className="inline-block first-letter:uppercase">{originOf(prompt)}</span>
                <RelativeTime at={prompt.created_at} />
                <Link to="/tasks/$task" params={{ task: prompt.task_id }} className="text-accent underline">
                  Open run
                </Link>
                {at < 9 && (
                  <kbd
                    aria-hidden
                    title={`Press ${at + 1} to answer this one`}
                    className="ml-auto rounded-sm border border-line px-1.5 max-list:hidden"
                  >
                    {at + 1}
                  </kbd>
                )}
              </p>
              <PromptCard prompt={prompt} />
            </li>
          ))}
        </ol>
      </ListStates>
    </Page>
  );
}
