import { type CompactionPlan, type History, messageBody, refsOf, showHistory } from "../../context/index.ts";
import { messageRow } from "../finish.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { TurnState } from "../turn-state.ts";

/** The row that replaces messages, and what stays. */
export interface Replacement {
  readonly plan: CompactionPlan;
  readonly history: History;
  /** Of all that is out of sight; absent: they go without one. */
  readonly summary?: string;
}

/** Takes the older part of a conversation out of the model's sight, by a row of its own that waits in the carry (EN7). */
export function replaceMessages(
  { record, conversation, carry }: Pick<TurnState, "record" | "conversation" | "carry">,
  deps: Pick<TurnDeps, "journal" | "clock">,
  { plan, history, summary }: Replacement,
): void {
  const own = record.view.id;
  const keep = plan.kept.map(({ id }) => id);
  // A turn that waited for a person takes those that ran meanwhile out of sight too.
  const last = [own, ...history.items.map(({ task }) => task)].toSorted().at(-1)!;
  const left = plan.summarised.length;
  const outOfSight = (history.outOfSight ?? 0) + left;
  const unsummarised = summary === undefined ? (history.unsummarised ?? 0) + left : 0;
  const text = summary ?? history.summary ?? "";
  // A step of the window may keep what lies far apart, so it is read by its ids.
  const isNear = summary !== undefined && history.scattered !== true;
  const body = messageBody({
    kind: "compaction",
    text,
    keep,
    outOfSight,
    ...(unsummarised === 0 ? {} : { unsummarised }),
    ...(isNear ? { from: keep.reduce((lowest, id) => Math.min(lowest, id), Number.MAX_SAFE_INTEGER) } : {}),
    ...(last === own ? {} : { last }),
  });
  const shown = { items: plan.kept, results: history.results, unsummarised };
  conversation.messages = showHistory(text === "" ? shown : { ...shown, summary: text }, own);
  conversation.fit = undefined;
  conversation.inSight = refsOf(plan.kept);
  if (summary !== undefined) conversation.hasRecalled = false;
  conversation.exceedsBounds = false;
  carry.statements.push(messageRow(record, deps, "compaction", body));
  // The row that said so may be among those that are replaced.
  if (!conversation.tainted) return;
  carry.statements.push(messageRow(record, deps, "tainted", messageBody({ kind: "tainted", by: "compaction" })));
}
