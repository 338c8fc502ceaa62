import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { requestKey, useApi } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import { failureOf } from "../../ui/index.ts";
import type { Issue } from "./issue.ts";

/** Whether a turn can be started about an issue: none is at work, and none came to its end. */
export function mayRun({ run, status }: Pick<Issue, "run" | "status">): boolean {
  return status !== "closed" && (run === null || run.state === "failed" || run.state === "canceled");
}

/** What the button says that starts one. */
export function runLabel({ run }: Pick<Issue, "run">): string {
  return run === null ? "Let the agent do it" : "Let the agent try again";
}

/** Has the agent do an issue; `save` runs first. */
export function useIssueRun(id: string, save?: () => Promise<unknown>): UseMutationResult<unknown, Error, void> {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  return useMutation({
    mutationFn: async () => {
      await save?.();
      return operator.post("/api/tasks/issues/{id}/run", { params: { id }, idempotencyKey: requestKey() });
    },
    onSuccess: ({ started }) =>
      notify({ text: started ? `The agent works on ${id}.` : `The agent worked on ${id} already.`, tone: "good" }),
    onError: (error) => notify({ text: `${id} was not given to the agent: ${failureOf(error).message}`, tone: "bad" }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["board"] }),
  });
}
