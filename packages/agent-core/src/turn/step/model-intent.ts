import { commitTurn } from "../commit.ts";
import type { TurnDeps } from "../turn-deps.ts";
import type { CommittingTurn, TurnState } from "../turn-state.ts";

/** Unique in its task. */
export function modelCallId(step: number): string {
  return `model-${step}`;
}

/** Commits the intent of the next model call, with whatever waits. */
export async function commitModelIntent(
  state: CommittingTurn & Pick<TurnState, "step">,
  deps: Pick<TurnDeps, "journal" | "clock" | "log">,
  model: string,
): Promise<void> {
  const { step: current } = state;
  const step = current.number + 1;
  const call = modelCallId(step);
  await commitTurn(state, deps, { label: "turn.model-intent", events: [{ kind: "model.started", call, step, model }] });
  current.number = step;
  current.call = { call, step, model, startedAt: deps.clock.now() };
}
