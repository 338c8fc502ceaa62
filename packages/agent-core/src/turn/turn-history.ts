import { type History, readHistory } from "../context/index.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnStart } from "./turn-state.ts";

/** What a turn under way is shown, as it is stored: its conversation, or its own part of it where it begins afresh. @throws DatabaseError */
export function turnHistory(
  { record, options }: Pick<TurnStart, "record" | "options">,
  { db, journal }: Pick<TurnDeps, "db" | "journal">,
): Promise<History> {
  const { id, class: callerClass, context } = record.view;
  return readHistory(db, journal.statements, { class: callerClass, context }, id, options.fresh === true);
}
