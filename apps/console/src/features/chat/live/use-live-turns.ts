import { useCallback, useSyncExternalStore } from "react";
import { useChat } from "../chat-context.tsx";
import { isOver, type LiveTurn, type TurnUsage } from "./live-turn.ts";

/** The live turns of a session; renders again when one is added, removed or gets its task, not while text arrives. */
export function useLiveList(session: string): readonly LiveTurn[] {
  const { live } = useChat();
  return useSyncExternalStore(live.onList, () => live.of(session));
}

/** A live turn; renders the caller again at most once a frame while events arrive. */
export function useLiveTurn(key: string | undefined): LiveTurn | undefined {
  return useOfTurn(key, sameTurn);
}

/** What the running turn of a session has used; undefined where none runs, or none of its model calls has ended. */
export function useTurnUsage(session: string): TurnUsage | undefined {
  return useOfTurn(useLiveList(session).at(-1)?.key, usageWhileRunning);
}

/** A value of a live turn; renders the caller again only when that value changes. `select` is the same function on each render. */
export function useOfTurn<TValue>(
  key: string | undefined,
  select: (turn: LiveTurn) => TValue | undefined,
): TValue | undefined {
  const { live } = useChat();
  return useSyncExternalStore(
    useCallback((listener) => (key === undefined ? () => {} : live.onTurn(key, listener)), [live, key]),
    () => {
      const turn = key === undefined ? undefined : live.get(key);
      return turn === undefined ? undefined : select(turn);
    },
  );
}

const sameTurn = (turn: LiveTurn): LiveTurn => turn;
const usageWhileRunning = ({ state, usage }: LiveTurn): TurnUsage | undefined => (isOver(state) ? undefined : usage);
