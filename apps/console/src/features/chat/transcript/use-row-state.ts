import { type WorkState, workState } from "../../../ui/index.ts";
import { isOver, type LiveTurn } from "../live/live-turn.ts";
import { useOfTurn } from "../live/use-live-turns.ts";
import type { TurnRow } from "./shown-turns.ts";

/** The state of a row once the agent has accepted its turn; renders the caller again when the state changes, not while text arrives. */
export function useRowState(row: TurnRow | undefined): WorkState | undefined {
  const streamed = useOfTurn(row?.live, stateOnceAccepted);
  const stored = row?.stored === undefined ? undefined : workState(row.stored.state);
  return stored !== undefined && (streamed === undefined || isOver(stored)) ? stored : streamed;
}

const stateOnceAccepted = ({ taskId, state }: LiveTurn): WorkState | undefined =>
  taskId === undefined ? undefined : state;
