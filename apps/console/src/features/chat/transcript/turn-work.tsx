import type { ReactElement } from "react";
import { FileList, imagesOf } from "../../../message-files/index.ts";
import { isOver } from "../live/live-turn.ts";
import { StepList } from "../steps/step-list.tsx";
import { RecalledLine } from "./recalled-line.tsx";
import type { TurnView } from "./shown-turns.ts";

/** What led to an answer: what was remembered, the steps, and the images that they brought. */
export function TurnWork({
  session,
  view: { stored, steps, taskId, state },
}: {
  readonly session: string;
  readonly view: TurnView;
}): ReactElement {
  return (
    <>
      <RecalledLine recalled={stored?.recalled} session={session} task={taskId} />
      <StepList steps={steps} taskId={taskId} over={isOver(state)} />
      {stored !== undefined && <FileList files={imagesOf(session, stored)} label="Images of results" />}
    </>
  );
}
