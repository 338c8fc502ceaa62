import { planWindow, readHistory } from "../context/index.ts";
import { commitTurn } from "./commit.ts";
import { showLess } from "./show-less.ts";
import type { TurnDeps, TurnState } from "./turn-state.ts";

/**
 * Moves the start of a conversation whose bounds are passed: its oldest quarter goes, without a summary. The model reads
 * how many messages it does not see, the journal tells people. @throws DetachedError
 */
export async function cutWindow(state: TurnState, deps: TurnDeps): Promise<void> {
  state.beyond = false;
  const { events, statements } = state.carry;
  // What is kept is named by rows, so all that is shown is stored first.
  if (events.length > 0 || statements.length > 0) await commitTurn(state, deps, { label: "turn.window", events: [] });
  const { id, class: callerClass, context } = state.record.view;
  const history = await readHistory(deps.db, deps.journal.statements, { class: callerClass, context }, id);
  const plan = planWindow(history, id);
  const left = plan.summarised.length;
  if (left === 0) return;
  showLess(state, deps, { plan, history });
  const outOfSight = (history.outOfSight ?? 0) + left;
  state.carry.events.push({ kind: "context.cut", left, kept: plan.kept.length, outOfSight });
}
