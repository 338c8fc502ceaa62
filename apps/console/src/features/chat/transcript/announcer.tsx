import { type ReactElement, useCallback, useRef } from "react";
import { isOver, type LiveTurn } from "../live/live-turn.ts";
import { useOfTurn, useWatchedTurn } from "../live/use-live-turns.ts";
import { sentencesFrom } from "./sentences.ts";
import type { TurnRow } from "./shown-turns.ts";

/** Live regions for screen readers: the answer by whole sentences, as single tokens cannot be understood. */
export function Announcer({
  row,
  agentName,
}: {
  readonly row: TurnRow | undefined;
  readonly agentName: string;
}): ReactElement {
  const state = useOfTurn(row?.live, stateOf);
  const region = useRef<HTMLDivElement>(null);
  const announced = useRef(0);
  const announce = useCallback(({ text, state }: LiveTurn) => {
    if (region.current === null) return;
    if (text.length < announced.current) announced.current = 0;
    const { sentences, next } = sentencesFrom(text, announced.current, isOver(state));
    announced.current = next;
    if (sentences !== "") region.current.textContent = sentences;
  }, []);
  useWatchedTurn(row?.live, announce);
  return (
    <>
      <div ref={region} aria-live="polite" className="sr-only" />
      <div aria-live="assertive" className="sr-only">
        {state === "waiting" && `${agentName} waits for you.`}
        {state === "failed" && "The turn failed."}
      </div>
    </>
  );
}

const stateOf = ({ state }: LiveTurn): LiveTurn["state"] => state;
