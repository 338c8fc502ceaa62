import type { ServiceEvent } from "../api/index.ts";
import type { Notice } from "../notices/index.ts";

/** What a person is told of an event, and where it can be looked at. */
export interface EventNotice extends Pick<Notice, "text" | "tone"> {
  readonly to: string;
}

/** What a person should be told of an event on whatever screen; undefined: nothing. `path`: where they are. */
export function noticeOf({ topic, data }: ServiceEvent, path: string): EventNotice | undefined {
  if (topic === "turn.input_required") {
    // Where its card stands, the conversation says so itself.
    return isConversation(path, data.session_id)
      ? undefined
      : { text: "The agent waits for you.", tone: "waiting", to: "/approvals" };
  }
  if (topic !== "background.completed") return undefined;
  const job = `The job “${String(data.description)}”`;
  const to = `/work/jobs/${encodeURIComponent(String(data.job_id))}`;
  if (data.status === "completed") return { text: `${job} is done.`, tone: "good", to };
  return data.status === "failed" ? { text: `${job} failed.`, tone: "bad", to } : undefined;
}

/** Whether an event says that something does not wait any more. */
export function endsWaiting({ topic }: ServiceEvent): boolean {
  return topic === "approval.answered" || topic === "approval.withdrawn";
}

function isConversation(path: string, session: unknown): boolean {
  return path.endsWith(`/chat/${encodeURIComponent(String(session))}`);
}
