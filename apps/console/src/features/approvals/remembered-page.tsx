import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { pagedQuery, useApi } from "../../api/index.ts";
import { Arguments } from "../../prompts/index.ts";
import { Button, EmptyState, InlineError, ListStates, Page, RelativeTime } from "../../ui/index.ts";
import { ApprovalTabs } from "./approvals-top.tsx";

/** The remembered approvals: each can be revoked. */
export function RememberedPage(): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["approvals", "grants"], (page) =>
      operator.get("/api/approvals/grants", { query: { limit: 50, ...page } }),
    ),
  );
  const grants = list.data?.pages.flatMap((page) => page.grants) ?? [];
  return (
    <Page title="Approvals" lead={<ApprovalTabs />}>
      <ListStates
        list={list}
        isEmpty={grants.length === 0}
        failed="What is always allowed cannot be read"
        empty={
          <EmptyState title="No call is always allowed">
            When you approve a call and tick “Do not ask again for this exact request”, it is listed here, and the same
            call is not asked about again until you take that back.
          </EmptyState>
        }
      >
        <ol className="mx-auto flex max-w-3xl flex-col gap-4 p-4">
          {grants.map((grant) => (
            <li key={grant.id} className="flex flex-col gap-2">
              <Arguments tool={grant.tool} args={grant.args} />
              <div className="flex flex-wrap items-center gap-x-3 text-sm text-ink-soft">
                <span>
                  {grant.class === "federation" ? "In peers' runs" : "In your runs"}, since{" "}
                  <RelativeTime at={grant.created_at} />
                </span>
                <Revoke id={grant.id} tool={grant.tool} />
              </div>
            </li>
          ))}
        </ol>
      </ListStates>
    </Page>
  );
}

function Revoke({ id, tool }: { readonly id: string; readonly tool: string }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => operator.delete("/api/approvals/grants/{id}", { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["approvals", "grants"] }),
  });
  return (
    <div className="ml-auto flex items-center gap-2">
      {revoke.error !== null && <InlineError error={revoke.error} />}
      <Button small kind="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
        Ask again
        <span className="sr-only"> before {tool}</span>
      </Button>
    </div>
  );
}
