import type { CommandContext } from "./command.ts";
import { failureOf } from "./command-failure.ts";
import type { Approval } from "./commands/approvals.ts";
import { followEvents } from "./follow-events.ts";

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** The conversation; undefined while it has none. */
  readonly session: () => string | undefined;
  readonly concerns: (row: Approval) => boolean;
  /** Called once for each. */
  readonly notify: (row: Approval) => void;
}

/**
 * Reports prompts of a conversation, current and future ones, until the signal aborts. It accompanies a turn, which itself reports that the service
 * is out of reach or that this caller may not see approvals.
 */
export async function watchApprovals(
  context: Pick<CommandContext, "api" | "request" | "io" | "service">,
  { signal, session, concerns, notify }: WatchOptions,
): Promise<void> {
  const reported = new Set<string>();
  async function look(): Promise<void> {
    const session_id = session();
    if (session_id === undefined) return;
    const { approvals } = await context.api.get("/api/approvals", { query: { session_id, limit: 200 }, signal });
    for (const row of approvals) {
      if (reported.has(row.id) || !concerns(row)) continue;
      reported.add(row.id);
      notify(row);
    }
  }
  try {
    const events = followEvents(context, { signal, opened: look });
    for await (const { topic } of events) {
      if (topic === "approval.requested" || topic === "stream.gap") await look();
    }
  } catch (error) {
    if (!signal.aborted && failureOf(error, context.service.url) === undefined) throw error;
  }
}
