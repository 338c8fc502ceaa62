import { type ReactElement, useEffect, useRef } from "react";
import { useLiveTurn } from "./chat-context.tsx";
import { isOver } from "./live-turn.ts";
import { sentencesFrom } from "./sentences.ts";
import type { TurnRow } from "./shown-turns.ts";

/** Tells screen readers what the agent says, a sentence at a time: a word at a time nobody could follow. */
export function Announcer({
  row,
  agentName,
}: {
  readonly row: TurnRow | undefined;
  readonly agentName: string;
}): ReactElement {
  const turn = useLiveTurn(row?.live);
  const region = useRef<HTMLDivElement>(null);
  const spoken = useRef(0);
  const state = turn?.state;
  const text = turn?.text ?? "";
  useEffect(() => {
    if (region.current === null || state === undefined) return;
    if (text.length < spoken.current) spoken.current = 0;
    const { spoken: words, next } = sentencesFrom(text, spoken.current, isOver(state));
    spoken.current = next;
    if (words !== "") region.current.textContent = words;
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
