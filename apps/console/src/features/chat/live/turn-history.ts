import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

type TurnPage = AnswerOf<Extract<OperatorDefinition, { readonly name: "sessions.turns" }>>;

/** A turn as the service stored it. */
export type StoredTurn = TurnPage["turns"][number];

/** The turns of a session read so far, oldest first and without a gap. */
export interface TurnHistory {
  readonly turns: readonly StoredTurn[];
  /** Cursor of the next older page; null where there is none, undefined before the first page was read. */
  readonly older: string | null | undefined;
}

/** A history of which no page was read. */
export const UNREAD: TurnHistory = { turns: [], older: undefined };

/**
 * Returns the history with its newest page replaced. Turns within the page's range that the page does not have are dropped:
 * they were removed. Pages list the newest turn first; the range of one that has no older page begins with the session.
 */
export function withNewest(history: TurnHistory, page: TurnPage): TurnHistory {
  const fresh = page.turns.toReversed();
  const first = fresh[0];
  const read = { turns: fresh, older: page.next_cursor };
  if (first === undefined || page.next_cursor === null) return read;
  const before = history.turns.filter(({ task_id }) => task_id < first.task_id);
  // More turns came than a page holds: keeping the known ones would hide a gap. They are read again on scrolling there.
  if (before.length === history.turns.length || before.length === 0) return read;
  return { turns: [...before, ...fresh], older: history.older };
}

/** Returns the history with the page before its oldest turn. */
export function withOlder(history: TurnHistory, page: TurnPage): TurnHistory {
  const first = history.turns[0];
  const older = page.turns.toReversed().filter(({ task_id }) => first === undefined || task_id < first.task_id);
  return { turns: [...older, ...history.turns], older: page.next_cursor };
}
