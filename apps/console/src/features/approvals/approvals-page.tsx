import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useMemo } from "react";
import { pagedQuery, useApi } from "../../api/index.ts";
import { NotifyButton } from "../../notifications/index.ts";
import { PromptCard, type WaitingPrompt } from "../../prompts/index.ts";
import { buttonClass, EmptyState, ListStates, Page } from "../../ui/index.ts";
import { ApprovalTabs } from "./approvals-top.tsx";
import { ApproveAll } from "./approve-all.tsx";
import { groupPrompts, type PromptGroup } from "./group-prompts.ts";
import { PromptStory } from "./prompt-story.tsx";
import { useFocusNext, useNumberKeys } from "./use-number-keys.ts";

/** All prompts that wait for a person, of any surface and depth (O3). */
export function ApprovalsPage(): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["approvals", "list"], (page) => operator.get("/api/approvals", { query: { limit: 20, ...page } })),
  );
  const groups = useMemo(() => groupPrompts(list.data?.pages.flatMap(({ approvals }) => approvals) ?? []), [list.data]);
  const prompts = useMemo(() => groups.flatMap((group) => group.prompts), [groups]);
  const titleOf = useChatTitles();
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
        <ol className="mx-auto flex max-w-3xl flex-col gap-8 p-4">
          {groups.map((group) => (
            <li key={group.task}>
              <PromptsOfRun group={group} numberOf={(prompt) => prompts.indexOf(prompt) + 1} titleOf={titleOf} />
            </li>
          ))}
        </ol>
      </ListStates>
    </Page>
  );
}

function PromptsOfRun({
  group: { prompts, approvals },
  numberOf,
  titleOf,
}: {
  readonly group: PromptGroup<WaitingPrompt>;
  readonly numberOf: (prompt: WaitingPrompt) => number;
  readonly titleOf: (prompt: WaitingPrompt) => string | undefined;
}): ReactElement {
  const [first] = prompts;
  return (
    <div className="flex flex-col gap-2">
      {first !== undefined && (
        <div className="flex flex-wrap items-start justify-between gap-2">
          <PromptStory prompt={first} chatTitle={titleOf(first)} />
          {approvals.length > 1 && <ApproveAll ids={approvals.map(({ id }) => id)} />}
        </div>
      )}
      {prompts.map((prompt) => {
        const number = numberOf(prompt);
        return (
          <div key={prompt.id} className="relative">
            {number <= 9 && (
              <kbd
                aria-hidden
                title={`Press ${number} to answer this one`}
                className="absolute top-2 right-2 rounded-sm border border-line px-1.5 text-sm text-ink-soft max-list:hidden"
              >
                {number}
              </kbd>
            )}
            <PromptCard prompt={prompt} />
          </div>
        );
      })}
    </div>
  );
}

/** Titles of the newest conversations, which those with prompts are among. */
function useChatTitles(): (prompt: WaitingPrompt) => string | undefined {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["sessions", "titles"],
    queryFn: () => operator.get("/api/chat/sessions", { query: { limit: 100 } }),
  });
  const titles = new Map(data?.sessions.map(({ session_id: id, title }) => [id, title]));
  return ({ class: caller, parents, session_id: own }) =>
    caller === "operator" ? titles.get(parents.at(-1)?.session_id ?? own) : undefined;
}
