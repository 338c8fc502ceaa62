import type { CommandContext } from "./command.ts";
import { failureOf } from "./command-failure.ts";
import type { Approval } from "./commands/approvals.ts";
import { followEvents } from "./follow-events.ts";

/** What goes on in a conversation while the person says nothing. */
export interface ConversationWatch {
  /** From now on the person waits for something to say: `stirred` is called when there is something to tell. */
  idle(stirred: () => void): void;
  /** The person has said something. */
  busy(): void;
  /** Turns of the conversation that ended and that nobody was shown, oldest first; they count as shown now. */
  ended(own: ReadonlySet<string>): readonly string[];
  /** What tasks of the conversation ask of a person now. */
  asked(): Promise<readonly Approval[]>;
  close(): Promise<void>;
}

/**
 * Watches a conversation: reports of background jobs are read by turns that nobody here has started, and jobs ask for
 * approvals when they need them. One connection for as long as the conversation lasts, so that nothing lies in between.
 */
export function watchConversation(
  context: Pick<CommandContext, "api" | "request" | "io" | "service">,
  session: () => string | undefined,
): ConversationWatch {
  const over = new AbortController();
  const ended: string[] = [];
  let stirred: (() => void) | undefined;
  /** Something happened while nobody could be told. */
  let missed = false;
  async function follow(): Promise<void> {
    for await (const { topic, data } of followEvents(context, { signal: over.signal })) {
      const isTurn = topic === "turn.finished" && data.session_id === session();
      if (isTurn && typeof data.task_id === "string") ended.push(data.task_id);
      if (!isTurn && topic !== "approval.requested") continue;
      if (stirred === undefined) missed = true;
      else stirred();
    }
  }
  const following = follow().catch((error: unknown) => {
    // The service went away, or does not let this caller watch: what is said next tells the person.
    if (failureOf(error, context.service.url) === undefined) throw error;
  });
  following.catch(() => undefined);
  return {
    idle: (tell) => {
      stirred = tell;
      if (missed) tell();
      missed = false;
    },
    busy: () => {
      stirred = undefined;
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
