import { startTransition, useCallback, useEffect, useReducer, useSyncExternalStore } from "react";
import { useChat } from "../chat-context.tsx";
import { isOver, type LiveTurn, type TurnUsage } from "./live-turn.ts";

/** The live turns of a session; renders again when one is added, removed or gets its task, not while text arrives. */
export function useLiveList(session: string): readonly LiveTurn[] {
  const { live } = useChat();
  return useSyncExternalStore(live.onList, () => live.of(session));
}

/**
 * A live turn; renders the caller again at most once a frame while events arrive, behind what a person types. What is being
 * drawn is drawn to its end: were each piece of an answer drawn at once, it would throw away what is half drawn, and on a
 * slow machine an answer would stand still for seconds and then keep the page for its whole length.
 */
export function useLiveTurn(key: string | undefined): LiveTurn | undefined {
  const { live } = useChat();
  const [, draw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    if (key === undefined) return;
    const changed = (): void => startTransition(draw);
    changed();
    return live.onTurn(key, changed);
  }, [live, key]);
  return key === undefined ? undefined : live.get(key);
}

/** Calls `look` with a live turn, now and whenever it changes; renders nothing. `look` is the same function on each render. */
export function useWatchedTurn(key: string | undefined, look: (turn: LiveTurn) => void): void {
  const { live } = useChat();
  useEffect(() => {
    if (key === undefined) return;
    const changed = (): void => {
      const turn = live.get(key);
      if (turn !== undefined) look(turn);
    };
    changed();
    return live.onTurn(key, changed);
  }, [live, key, look]);
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

const usageWhileRunning = ({ state, usage }: LiveTurn): TurnUsage | undefined => (isOver(state) ? undefined : usage);
