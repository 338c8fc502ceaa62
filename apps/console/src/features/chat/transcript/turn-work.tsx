import type { ReactElement } from "react";
import { FileList } from "../files/file-list.tsx";
import type { ShownFile } from "../files/shown-file.ts";
import { isOver } from "../live/live-turn.ts";
import type { StoredTurn } from "../live/turn-history.ts";
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
      <RecalledLine recalled={stored?.recalled} />
      <StepList steps={steps} taskId={taskId} over={isOver(state)} />
      {stored !== undefined && <FileList files={imagesOf(session, stored)} label="Images of results" />}
    </>
  );
}

/** Images that tools returned. They are read from the service and from nowhere else. */
function imagesOf(session: string, { task_id: task, tool_calls: calls }: StoredTurn): readonly ShownFile[] {
  return calls.flatMap(({ name, images = [] }) =>
    images.map(({ id, media_type: mediaType, size }, no) => ({
      name: images.length === 1 ? `Image of ${name}` : `Image ${no + 1} of ${name}`,
      ...{ mediaType, size, content: { kind: "stored", session, task, id } as const },
    })),
  );
}
