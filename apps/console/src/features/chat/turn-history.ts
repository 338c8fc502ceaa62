import type { AnswerOf, OperatorDefinition } from "@agent-service/operator-api/client";

type TurnPage = AnswerOf<Extract<OperatorDefinition, { readonly name: "sessions.turns" }>>;

/** A turn as the service has it. */
export type StoredTurn = TurnPage["turns"][number];

/** The turns of a session that were read so far, oldest first and without a gap. */
export interface TurnHistory {
  readonly turns: readonly StoredTurn[];
  /** Where older ones begin; null: there are none. Undefined: nothing was read yet. */
  readonly older: string | null | undefined;
}

/** Before anything was read. */
export const UNREAD: TurnHistory = { turns: [], older: undefined };

/** The history with the newest page read again: what it says replaces what was known of its time. Pages are newest first. */
export function withNewest(history: TurnHistory, page: TurnPage): TurnHistory {
  const fresh = page.turns.toReversed();
  const first = fresh[0];
  if (first === undefined) return { turns: [], older: page.next_cursor };
  const before = history.turns.filter(({ task_id }) => task_id < first.task_id);
  const joined = before.length < history.turns.length || page.next_cursor === null;
  // More came than a page holds: what was known lies apart, and is read again when somebody scrolls there.
  if (!joined && history.turns.length > 0) return { turns: fresh, older: page.next_cursor };
  if (before.length === 0) return { turns: fresh, older: page.next_cursor };
  return { turns: [...before, ...fresh], older: history.older };
}

/** The history with the page before its oldest turn. */
export function withOlder(history: TurnHistory, page: TurnPage): TurnHistory {
  const first = history.turns[0];
  const older = page.turns.toReversed().filter(({ task_id }) => first === undefined || task_id < first.task_id);
  return { turns: [...older, ...history.turns], older: page.next_cursor };
}
