import type { ServiceEvent } from "../../../api/index.ts";

/** What a running call says of its progress; undefined: the event is of something else. */
export function progressOf(
  { topic, data }: Pick<ServiceEvent, "topic" | "data">,
  { taskId, callId }: { readonly taskId: string; readonly callId: string },
): string | undefined {
  if (topic !== "turn.progress" || data.phase !== "tool_progress") return undefined;
  if (data.task_id !== taskId || data.tool_call_id !== callId || typeof data.text !== "string") return undefined;
  return data.text;
}
