import { type ReactElement, useEffect, useRef } from "react";
import { isOver } from "../live/live-turn.ts";
import { useLiveTurn } from "../live/use-live-turns.ts";
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
  const turn = useLiveTurn(row?.live);
  const region = useRef<HTMLDivElement>(null);
  const announced = useRef(0);
  const state = turn?.state;
  const text = turn?.text ?? "";
  useEffect(() => {
    if (region.current === null || state === undefined) return;
    if (text.length < announced.current) announced.current = 0;
    const { sentences, next } = sentencesFrom(text, announced.current, isOver(state));
    announced.current = next;
    if (sentences !== "") region.current.textContent = sentences;
  }, [text, state]);
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
