import type { CommandContext } from "./command.ts";
import { failureOf } from "./command-failure.ts";
import type { Approval } from "./commands/approvals.ts";
import { followEvents } from "./follow-events.ts";

/** Whose prompts count, and who is told. */
export interface WatchOptions {
  readonly signal: AbortSignal;
  /** The conversation; undefined while it has none. */
  readonly session: () => string | undefined;
  readonly concerns: (row: Approval) => boolean;
  /** Told of each once. */
  readonly tell: (row: Approval) => void;
}

/**
 * Tells of what waits for a person in a conversation, now and from now on, until the signal aborts. It accompanies a turn: that the service
 * is out of reach, or this caller may not see approvals, is the turn's to say.
 */
export async function watchApprovals(
  context: Pick<CommandContext, "api" | "request" | "io" | "service">,
  { signal, session, concerns, tell }: WatchOptions,
): Promise<void> {
  const told = new Set<string>();
  async function look(): Promise<void> {
    const session_id = session();
    if (session_id === undefined) return;
    const { approvals } = await context.api.get("/api/approvals", { query: { session_id, limit: 200 }, signal });
    for (const row of approvals) {
      if (told.has(row.id) || !concerns(row)) continue;
      told.add(row.id);
      tell(row);
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
