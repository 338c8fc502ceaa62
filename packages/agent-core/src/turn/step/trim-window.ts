import { planWindow } from "../../context/index.ts";
import { commitTurn } from "../commit.ts";
import type { TurnDeps } from "../turn-deps.ts";
import { turnHistory } from "../turn-history.ts";
import type { CommittingTurn, TurnState } from "../turn-state.ts";
import { replaceMessages } from "./replace-messages.ts";

/**
 * Moves the start of a conversation that exceeds its bounds: its oldest quarter goes, without a summary. The model reads
 * how many messages it does not see; the event shows it to people. @throws DetachedError
 */
export async function trimWindow(
  state: CommittingTurn & Pick<TurnState, "conversation" | "options">,
  deps: TurnDeps,
): Promise<void> {
  state.conversation.exceedsBounds = false;
  const { events, statements } = state.carry;
  // What is kept is named by rows, so all that is shown is stored first.
  if (events.length > 0 || statements.length > 0) await commitTurn(state, deps, { label: "turn.window", events: [] });
  const history = await turnHistory(state, deps);
  const plan = planWindow(history, state.record.view.id);
  const left = plan.summarised.length;
  if (left === 0) return;
  replaceMessages(state, deps, { plan, history });
  const outOfSight = (history.outOfSight ?? 0) + left;
  state.carry.events.push({ kind: "context.cut", left, kept: plan.kept.length, outOfSight });
}
