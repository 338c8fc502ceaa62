import { keepPreviousData, type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { requestKey, useApi } from "../../api/index.ts";
import { useNotices } from "../../notices/index.ts";
import { failureOf } from "../../ui/index.ts";
import { columnsOf, type Issue, type IssueStatus, labelOf, STATUSES } from "./issue.ts";

/** How many issues a column shows at first, and how many more at a time. */
const PAGE = 50;
/** Columns whose older issues are not read yet. */
interface BoardRead {
  readonly issues: readonly Issue[];
  readonly more: ReadonlySet<IssueStatus>;
}

/** The board with its actions. */
export interface Board {
  readonly read: UseQueryResult<BoardRead>;
  readonly columns: ReturnType<typeof columnsOf>;
  readonly showMore: (status: IssueStatus) => void;
  /** The column changes at once; it changes back if the service refuses. */
  readonly move: (id: string, to: IssueStatus) => void;
}

/** Reads the board and moves its issues. */
export function useBoard(): Board {
  const { operator } = useApi();
  const [wanted, setWanted] = useState<Readonly<Partial<Record<IssueStatus, number>>>>({});
  const read = useQuery({
    queryKey: ["board", "list", wanted],
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<BoardRead> => {
      const more = new Set<IssueStatus>();
      const columns = STATUSES.map(async ({ value: status }) => {
        const issues: Issue[] = [];
        let cursor: string | undefined;
        do {
          const limit = Math.min(200, (wanted[status] ?? PAGE) - issues.length);
          const query = { status, limit, ...(cursor !== undefined && { cursor }) };
          const page = await operator.get("/api/tasks/issues", { query });
          issues.push(...page.issues);
          cursor = page.next_cursor ?? undefined;
        } while (cursor !== undefined && issues.length < (wanted[status] ?? PAGE));
        if (cursor !== undefined) more.add(status);
        return issues;
      });
      return { issues: (await Promise.all(columns)).flat(), more };
    },
  });
  const { moved, move } = useMoves();
  return {
    read,
    columns: columnsOf(read.data?.issues ?? [], moved),
    showMore: (status) => setWanted((before) => ({ ...before, [status]: (before[status] ?? PAGE) + PAGE })),
    move,
  };
}

function useMoves(): { readonly moved: ReadonlyMap<string, IssueStatus>; readonly move: Board["move"] } {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const [moved, setMoved] = useState<ReadonlyMap<string, IssueStatus>>(new Map());
  const { mutate } = useMutation({
    // One after the other: the last move of an issue wins.
    scope: { id: "board-moves" },
    mutationFn: ({ id, to }: { readonly id: string; readonly to: IssueStatus }) =>
      to === "closed"
        ? operator.post("/api/tasks/issues/{id}/close", { params: { id }, idempotencyKey: requestKey() })
        : operator.patch("/api/tasks/issues/{id}", { params: { id }, body: { status: to } }),
    onMutate: ({ id, to }) => setMoved((before) => new Map(before).set(id, to)),
    onError: (error, { to }) =>
      notify({ text: `It was not moved to ${labelOf(STATUSES, to)}: ${failureOf(error).message}`, tone: "bad" }),
    onSettled: async (_answer, _error, { id, to }) => {
      await queries.invalidateQueries({ queryKey: ["board"] });
      setMoved((before) => {
        // Moved again meanwhile: the later move handles its own result.
        if (before.get(id) !== to) return before;
        const rest = new Map(before);
        rest.delete(id);
        return rest;
      });
    },
  });
  return { moved, move: useCallback((id, to) => mutate({ id, to }), [mutate]) };
}
