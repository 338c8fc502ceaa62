import type { ServiceEvent } from "../api/index.ts";
import type { Notice } from "../notices/index.ts";

/** The notice of an event: its text, and the page it links to. */
export interface EventNotice extends Pick<Notice, "text" | "tone"> {
  readonly to: string;
}

/** The notice that an event causes on any screen; undefined: none. `path`: the current page. */
export function noticeOf({ topic, data }: ServiceEvent, path: string): EventNotice | undefined {
  if (topic === "turn.input_required") {
    // The conversation shows the prompt's card itself.
    return isConversation(path, data.session_id)
      ? undefined
      : { text: "The agent waits for you.", tone: "waiting", to: "/approvals" };
  }
  if (topic === "goal.met" || topic === "goal.failed") {
    const notice = endOfGoal(data);
    // The goal's own page shows it itself.
    return path.endsWith(notice.to) ? undefined : notice;
  }
  if (topic !== "background.completed") return undefined;
  const job = `The job “${String(data.description)}”`;
  const to = `/work/jobs/${encodeURIComponent(String(data.job_id))}`;
  if (data.status === "completed") return { text: `${job} is done.`, tone: "good", to };
  return data.status === "failed" ? { text: `${job} failed.`, tone: "bad", to } : undefined;
}

function endOfGoal({ session_id, condition, status }: ServiceEvent["data"]): EventNotice {
  const goal = `The goal “${String(condition)}”`;
  const to = `/work/goals/${encodeURIComponent(String(session_id))}`;
  if (status === "met") return { text: `${goal} is met.`, tone: "good", to };
  return { text: `${goal} ${status === "exhausted" ? "is exhausted" : "is given up"}.`, tone: "bad", to };
}

/** Whether an event reports that a prompt no longer waits. */
export function endsWaiting({ topic }: ServiceEvent): boolean {
  return topic === "approval.answered" || topic === "approval.withdrawn";
}

function isConversation(path: string, session: unknown): boolean {
  return path.endsWith(`/chat/${encodeURIComponent(String(session))}`);
}
