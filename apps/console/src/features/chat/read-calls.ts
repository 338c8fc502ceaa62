import type { OperatorClient } from "@agent-service/operator-api/client";

/** The texts of a tool call that ended. */
export interface CallTexts {
  readonly id: string;
  readonly args: string;
  readonly result: string | undefined;
  readonly truncated: boolean;
}

const PAGE = 200;
/** Pages of a journal looked through: what a turn of a thousand calls has. */
const MOST_PAGES = 10;

/** The calls of a turn that ended, in the order they did, from its journal. */
export async function readCalls(
  operator: Pick<OperatorClient, "get">,
  taskId: string,
  signal: AbortSignal,
): Promise<readonly CallTexts[]> {
  const begun = new Map<string, string>();
  const ended: CallTexts[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await operator.get("/api/a2a/tasks/{id}/journal", {
      params: { id: taskId },
      query: { order: "oldest", limit: PAGE, ...(cursor !== undefined && { cursor }) },
      signal,
    });
    for (const row of page.events) {
      if (row.kind === "tool_started") begun.set(row.call_id, row.args);
      if (row.kind !== "tool_finished") continue;
      const { call_id: id, result, truncated } = row;
      ended.push({ id, args: begun.get(id) ?? "", result, truncated });
    }
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return ended;
}
