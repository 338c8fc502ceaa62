import type { ApprovalRequest, ToolContext } from "@agent-service/plugin-sdk";
import type { TaskService } from "../task/index.ts";

/** Origins of turns that no person began. */
const BY_ITSELF: ReadonlySet<string> = new Set(["schedule", "watch"]);
const DETAIL_CHARS = 4_000;

/** What started the turn of a call, where that was a job or a watch. @throws DatabaseError */
export async function triggerOfTurn(
  service: Pick<TaskService, "get">,
  { taskId }: Pick<ToolContext, "taskId">,
): Promise<string | undefined> {
  const view = (await service.get(taskId))?.view;
  if (view === undefined || !BY_ITSELF.has(view.origin)) return undefined;
  return view.provenance?.trigger;
}

/**
 * What a person is asked before a call changes what the agent does by itself, where its conversation holds content from
 * outside (K8, G29); undefined: nothing. An incognito turn changes none of it.
 */
export function outsideApproval(
  { caller }: Pick<ToolContext, "caller">,
  title: string,
  lines: readonly string[],
): ApprovalRequest | undefined {
  if (!caller.tainted || caller.incognito) return undefined;
  const detail = ["This conversation holds content from outside.", "", ...lines].join("\n");
  return { title, detail: detail.slice(0, DETAIL_CHARS).toWellFormed(), always: true };
}
