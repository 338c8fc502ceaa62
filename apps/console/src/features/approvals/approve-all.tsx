import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { requestKey, useApi } from "../../api/index.ts";
import { Button, InlineError } from "../../ui/index.ts";

/** Approves the calls of one run as they are shown, in their order and one request each; at the first failure the rest wait on. */
export function ApproveAll({ ids }: { readonly ids: readonly string[] }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const approve = useMutation({
    mutationFn: async () => {
      for (const id of ids) {
        await operator.post("/api/approvals/{id}", {
          ...{ params: { id }, body: { decision: "approve" }, idempotencyKey: requestKey() },
        });
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["approvals"] }),
  });
  return (
    <>
      <Button small busy={approve.isPending} onClick={() => approve.mutate()}>
        {ids.length === 2 ? "Approve both" : `Approve all ${ids.length}`}
      </Button>
      {approve.error !== null && <InlineError error={approve.error} />}
    </>
  );
}
