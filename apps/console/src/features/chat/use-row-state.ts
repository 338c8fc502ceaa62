import { useCallback, useSyncExternalStore } from "react";
import { type WorkState, workState } from "../../ui/index.ts";
import { useChat } from "./chat-context.tsx";
import { isOver } from "./live-turn.ts";
import type { TurnRow } from "./shown-turns.ts";

/** The state of a row, once the agent knows it; whoever asks is drawn when it changes, and not while text comes. */
export function useRowState(row: TurnRow | undefined): WorkState | undefined {
  const { live } = useChat();
  const key = row?.live;
  const heard = useSyncExternalStore(
    useCallback((tell) => (key === undefined ? () => {} : live.onTurn(key, tell)), [live, key]),
    () => {
      const turn = key === undefined ? undefined : live.get(key);
      return turn?.taskId === undefined ? undefined : turn.state;
    },
  );
  const stored = row?.stored === undefined ? undefined : workState(row.stored.state);
  return stored !== undefined && (heard === undefined || isOver(stored)) ? stored : heard;
}
