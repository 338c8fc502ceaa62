import type { CommandContext } from "./command.ts";
import { failureOf } from "./command-failure.ts";
import type { Approval } from "./commands/approvals.ts";
import { followEvents } from "./follow-events.ts";

/** Events of a conversation while the person types nothing. */
export interface ConversationWatch {
  /** From now on `notify` is called when there is something to show. */
  idle(notify: () => void): void;
  /** The person has sent a message: `notify` is not called any more. */
  busy(): void;
  /** Turns of the conversation that ended and were not shown, oldest first; they count as shown now. */
  ended(own: ReadonlySet<string>): readonly string[];
  /** The waiting prompts of the conversation's tasks. */
  asked(): Promise<readonly Approval[]>;
  close(): Promise<void>;
}

/**
 * Watches a conversation: reports of background jobs are read by turns that were not started here, and jobs ask for
 * approvals when they need them. One connection for as long as the conversation lasts, so that no event is missed in between.
 */
export function watchConversation(
  context: Pick<CommandContext, "api" | "request" | "io" | "service">,
  session: () => string | undefined,
): ConversationWatch {
  const over = new AbortController();
  const ended: string[] = [];
  let notify: (() => void) | undefined;
  /** Something happened while `notify` was not set. */
  let missed = false;
  async function follow(): Promise<void> {
    for await (const { topic, data } of followEvents(context, { signal: over.signal })) {
      const isTurn = topic === "turn.finished" && data.session_id === session();
      if (isTurn && typeof data.task_id === "string") ended.push(data.task_id);
      if (!isTurn && topic !== "approval.requested") continue;
      if (notify === undefined) missed = true;
      else notify();
    }
  }
  const following = follow().catch((error: unknown) => {
    // The service is out of reach, or does not allow this caller to watch: the next message reports it.
    if (failureOf(error, context.service.url) === undefined) throw error;
  });
  following.catch(() => undefined);
  return {
    idle: (listener) => {
      notify = listener;
      if (missed) listener();
      missed = false;
    },
    busy: () => {
      notify = undefined;
    },
    ended: (own) => ended.splice(0).filter((task) => !own.has(task)),
    async asked() {
      const name = session();
      if (name === undefined) return [];
      return (await context.api.get("/api/approvals", { query: { session_id: name, limit: 200 } })).approvals;
    },
    async close() {
      over.abort();
      await following;
    },
  };
}
